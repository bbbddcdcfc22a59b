"""The editor that fits a kind of field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from core.plan.fields import FieldInfo
from gui.forms.choice_editors import MOST_SEGMENTS, CheckEditor, ComboEditor, SegmentEditor, SliderEditor
from gui.forms.editor import Editor
from gui.forms.multi_choice_editor import GroupedChoices, MultiChoiceEditor, PlacesEditor
from gui.forms.typed_editors import DateEditor, NumberEditor, TextEditor, TextsEditor

_SEGMENT_LETTERS = 26


def editor_for(info: FieldInfo, known: Mapping[str, Mapping[str, str]]) -> Editor:
    """A new editor. ``known`` gives, by the last part of a path, values to choose from that the catalogue knows."""
    listed = known.get(info.path.rsplit(".", 1)[-1])
    if isinstance(listed, GroupedChoices):
        return PlacesEditor(replace(info, choices=dict(listed)), listed)
    if listed is not None:
        return _listed(replace(info, choices=dict(listed)))
    if info.type == "text" and info.choices:
        return _listed(info)
    match info.type:
        case "number" | "whole":
            is_share = info.group == "Priorities" and info.bounds.le == 100
            return SliderEditor(info) if is_share else NumberEditor(info)
        case "choice":
            letters = sum(len(words) for words in info.choices.values())
            fits = len(info.choices) <= MOST_SEGMENTS and letters <= _SEGMENT_LETTERS
            return SegmentEditor(info) if fits else ComboEditor(info)
        case "choices":
            return MultiChoiceEditor(info)
        case "yes_no":
            return CheckEditor(info)
        case "date":
            return DateEditor(info)
        case "texts":
            return TextsEditor(info)
    return TextEditor(info)


def _listed(info: FieldInfo) -> Editor:
    if info.type == "texts":
        return MultiChoiceEditor(info, is_any_when_empty=True)
    return ComboEditor(replace(info, choices={"": "Not said", **info.choices}))
