"""Text that is made up, for the kinds that Debian packages hold too little of: logs and records.

Every document comes from a seed of its own, so the same text is made everywhere (Python 3.11). None
of it is copied from or fitted to any file.
"""

import random

from training_text import logs, records

FAMILIES = {"logs": logs.FAMILIES, "json": records.JSON_FAMILIES, "sql": records.SQL_FAMILIES,
            "tables": records.TABLE_FAMILIES}
MIN_LINES, MAX_LINES = 80, 1500


def documents(name):
    """Path and text of one document after the other, without end; families take turns."""
    families = FAMILIES[name]
    number = 0
    while True:
        family = families[number % len(families)]
        rng = random.Random(f"lmzip {name} {number}")
        lines = int(MIN_LINES * (MAX_LINES / MIN_LINES) ** rng.random())
        yield f"{name}/{family.__name__}/{number}", family(rng, lines)
        number += 1
