"""Documents of other programs: what they ask, and answers in their form."""
