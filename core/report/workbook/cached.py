"""Values beside formulas, for whatever shows a workbook without working it out: previews, readers of tables, a
spreadsheet that has not been allowed to yet. openpyxl writes formulas alone, so that the values are put in afterwards.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from io import BytesIO
from zipfile import ZipFile

from core.breath import breathe

Values = Mapping[str, float]
"""What formulas come to, by cell: ``D7``."""

_FORMULA = re.compile(rb'(<c r="([A-Z]{1,3}\d{1,7})"[^>]{0,60}><f>[^<]{0,9000}</f>)<v ?/>')


def with_values(book: bytes, values_by_sheet: Sequence[Values]) -> bytes:
    """The workbook, an .xlsx file as openpyxl writes it, with the values of its formulas; sheets in their order.

    A formula without a value, or with none that is a number, is left for the spreadsheet.
    """
    sheets = {f"xl/worksheets/sheet{number}.xml": one for number, one in enumerate(values_by_sheet, start=1)}
    made = BytesIO()
    with ZipFile(BytesIO(book)) as before, ZipFile(made, "w") as after:
        for entry in before.infolist():
            breathe()
            content = before.read(entry)
            after.writestr(entry, _filled(content, sheets.get(entry.filename, {})))
    return made.getvalue()


def _filled(sheet: bytes, values: Values) -> bytes:
    def one(match: re.Match[bytes]) -> bytes:
        value = values.get(match[2].decode(), math.nan)
        return match[1] + f"<v>{value!r}</v>".encode() if math.isfinite(value) else match[0]

    return _FORMULA.sub(one, sheet) if values else sheet
