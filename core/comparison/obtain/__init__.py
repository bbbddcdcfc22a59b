"""Can it be had: what an offer attests, what is plausible, what stands on paper only."""
