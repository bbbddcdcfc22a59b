"""What would change the answer: inputs moved one or two at a time, and who would be picked then."""
