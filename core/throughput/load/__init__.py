"""A request rate on whatever answers users: waiting, how latency rises with the load, a mean day."""
