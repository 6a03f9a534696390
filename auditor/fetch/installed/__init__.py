"""What an interpreter has installed."""
