"""What a bill is made of. Read ``types`` (a bill and its lines), ``batch`` (what is billed), ``line`` and ``component``
(what a part answers and declares); ``hours``, ``power``, ``tiers`` and ``figures`` are what parts count with."""
