"""The comparison plan on paper: typst lays out the pages for PDF and screen alike."""
