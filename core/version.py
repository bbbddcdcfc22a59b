"""Version of the app and its engine, the same in a checkout, an installed copy and a packaged app."""

VERSION = "0.1.0"
