"""Serving of transformers: arrangements, prefill, decoding, memory, what they carry under load."""
