"""The floor in the browser: pages, live views and commands over HTTP."""
