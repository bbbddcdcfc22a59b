"""Where the packaged app starts."""

import sys

from gui.entry import main

sys.exit(main())
