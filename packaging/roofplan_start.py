"""Where the packaged app starts: the window and the command line, or the process that lays out one paper."""

import sys

from gui.pdf.layout_program import ASKED_BY

if sys.argv[1:] == [ASKED_BY]:
    from gui.pdf.layout_program import main  # before anything else is loaded
else:
    from gui.entry import main

sys.exit(main())
