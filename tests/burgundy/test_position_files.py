EXAMPLE = __import__("re").search(r"```yaml\n(.*?)```", open("/work/shared/formats.md").read(), 16)[1]
