"""The bot without a gateway: `sandtable http` answers interactions that Discord sends as HTTP requests."""
