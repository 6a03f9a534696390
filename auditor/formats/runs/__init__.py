"""What a saved run holds."""
