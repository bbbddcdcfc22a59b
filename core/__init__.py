"""The planning engine: what runs, where, how fast, how much and how free. It knows nothing of Qt."""
