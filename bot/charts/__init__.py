"""What all pictures share, and the pictures of no single game. All are readable on a phone, 400 pixels wide."""
