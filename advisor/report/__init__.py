"""The answer and its faces: `advice` (the answer itself), `as_text`, `as_html`."""
