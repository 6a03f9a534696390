"""Git repositories: on this machine, and behind a URL."""
