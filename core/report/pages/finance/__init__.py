"""What the finance department asks: when money is due, what is owed, what could move it, who does what next."""
