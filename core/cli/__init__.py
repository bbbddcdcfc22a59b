"""The command line over the engine: one file a command."""
