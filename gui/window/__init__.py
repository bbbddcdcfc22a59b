"""The main window: panels, commands and files put together."""
