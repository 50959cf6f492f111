"""The commands: each takes a request and the services and gives a reply, without Discord."""
