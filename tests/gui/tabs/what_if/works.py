"""What is left of requests."""

import gc

from gui.session.road import Work


def works() -> list[Work]:
    """Requests that are still there."""
    return [one for one in gc.get_objects() if isinstance(one, Work)]
