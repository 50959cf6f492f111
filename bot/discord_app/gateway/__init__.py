"""Connections to Discord's gateway: the state of each shard, turns to identify, and handing shards to a new process."""
