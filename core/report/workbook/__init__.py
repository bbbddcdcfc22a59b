"""The workbook: the verdict first, then candidates, bills with live formulas, cash, assumptions and sources."""
