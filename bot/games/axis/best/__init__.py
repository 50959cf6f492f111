"""The best choices in Axis & Allies: the army to bring, and the casualty order."""
