"""What is said of texts that cite code, beside their findings: every citation, as JSON, as a page and as Markdown."""
