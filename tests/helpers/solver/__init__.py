"""What tests of the solver share: random battles, and other ways to their odds."""
