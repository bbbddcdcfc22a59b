"""Where it can run: accelerators, hosts, offers, regions and what software runs on them."""
