"""What is left of requests."""

import gc

from gui.session.road import Work


def works() -> list[Work]:
    """Requests that are still there."""
    return [one for one in gc.get_objects() if isinstance(one, Work)]


def none_is_left() -> bool:
    """True where no request is held any more; one whose thread has not let go of it yet is."""
    gc.collect()
    return not works()
