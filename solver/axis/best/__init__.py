"""The best army to bring, and the best casualty order, in Axis & Allies."""
