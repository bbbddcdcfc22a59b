"""What a newcomer needs: words explained, families of chips, and a tour in the guides' order."""
