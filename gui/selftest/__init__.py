"""``roofplan selftest``: does an installed app hold everything that the source tree held, and does it work?"""
