"""What users add: entries of their own, discounts, the private price book."""
