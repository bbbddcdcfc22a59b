"""What a log of one's own hardware says: which part counts, what it cost, what it can prove."""
