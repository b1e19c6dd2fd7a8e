"""Documents, and the script that writes the generated ones."""
