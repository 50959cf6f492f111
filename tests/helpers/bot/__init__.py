"""What tests of the bot share."""
