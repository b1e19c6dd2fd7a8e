"""One module a command; each has `command`, imports the rest of the package when it runs."""
