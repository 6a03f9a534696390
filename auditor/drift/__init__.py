"""What changed: verdicts between runs and along histories, and code between two versions, by its syntax."""
