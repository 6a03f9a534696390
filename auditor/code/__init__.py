"""What can be known of a file without running it."""


class Undecidable(Exception):
    """No static reading answers the question; the message says why. It becomes an `open` outcome."""
