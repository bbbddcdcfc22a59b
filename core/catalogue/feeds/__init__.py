"""Price files of other tools, read by column name; every row is taken over or left out with its reason."""

from core.catalogue.feeds.read import checked_day, read_feed
from core.catalogue.feeds.report import Feed, FeedSource, Flag, Skipped, by_reason
from core.catalogue.feeds.sources import file_day, guess_provider, is_feed, sources_of

__all__ = [
    "Feed",
    "FeedSource",
    "Flag",
    "Skipped",
    "by_reason",
    "checked_day",
    "file_day",
    "guess_provider",
    "is_feed",
    "read_feed",
    "sources_of",
]
