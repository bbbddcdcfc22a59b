"""All together: candidates, their evaluation, ranking, recommendation and the guides' advice."""
