"""What could come of each candidate: seeded draws of speed, price, waiting, porting and the other costs."""
