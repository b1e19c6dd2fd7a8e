"""Speed, measured with pytest-benchmark; figures worth keeping stand in RESULTS.md."""
