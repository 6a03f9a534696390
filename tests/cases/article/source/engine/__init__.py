"""An engine, invented for these cases."""
