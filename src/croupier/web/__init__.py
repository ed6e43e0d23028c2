"""The floor in the browser: commands by POST, live views by server-sent events, pages."""
