"""What each candidate comes to: time, limits, the counts worth a bill, cost, flexibility."""
