"""Something that is no candidate, told in Why by the tab that shows it: a name, a place and chapters of lines."""

from __future__ import annotations

from collections.abc import Callable

from core.comparison.over_time.words import Chapter, Line, Story
from gui.frame.why.section import RIGHT, TOP, Put, Rule, Section, Title, Words

_KINDS = {"total": "strong", "small": "small", "warn": "warn"}


def story_sections(story: Story, close: Callable[[], None]) -> dict[str, Section]:
    """The sections of a story, its name first."""
    place = Words(str(story.place), "small", "why-story-place", wraps=True)
    head = Section((Put(Title(story.title, name="why-story", close=close), 0), Put(place, 1)), stretch=0)
    return {"story": head, **{f"story {one.title}": _chapter(one) for one in story.chapters}}


def _chapter(chapter: Chapter) -> Section:
    puts, row = [Put(Title(chapter.title, str(chapter.note)), 0, 0, 3)], 1
    for line in chapter.lines:
        if line.tone == "total":
            puts.append(Put(Rule(), row, 0, 3))
            row += 1
        puts += _line(line, row)
        row += 1
    return Section(tuple(puts), stretch=1, first_px=16)


def _line(line: Line, row: int) -> list[Put]:
    """Words over the whole width where they have no value."""
    kind = _KINDS.get(line.tone, "")
    words = Words(str(line.words), kind, wraps=True)
    sign = Words(line.sign, line.tone if line.tone in ("good", "err", "warn") else "small")
    value = str(line.value)
    if not value:
        return [Put(sign, row, 0, align=TOP), Put(words, row, 1, 2)]
    wraps = len(value) > 16
    return [
        Put(sign, row, 0, align=TOP),
        Put(words, row, 1),
        Put(Words(value, kind, wraps=wraps), row, 2, align=RIGHT),
    ]
