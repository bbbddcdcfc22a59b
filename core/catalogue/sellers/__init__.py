"""Who sells: how long capacity is waited for, and what is not to be had at all."""
