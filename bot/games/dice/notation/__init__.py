"""The lines of battles with dice: text to battle and back."""
