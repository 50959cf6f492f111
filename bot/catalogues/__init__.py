"""The texts in other languages, and what installing the package makes of them and of the words of players."""
