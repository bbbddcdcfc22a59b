"""What ``roofplan selftest`` checks: does an installed app hold what the source tree held, and does it work."""
