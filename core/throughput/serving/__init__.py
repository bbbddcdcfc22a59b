"""Serving of transformers: arrangements, prefill, decoding, memory; queueing and latency under load; a mean day."""
