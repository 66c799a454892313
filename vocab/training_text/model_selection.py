"""Chooses the documents of the neural models' text: so much of every package, no near copies."""

import zlib

from training_text import contamination, generated
from training_text.model_documents import pieces
from training_text.selection import PackageQueue, Selection

KNOWN_SHARE = 0.6  # of a document's shingles, from which on it is a copy


class ModelSelection(Selection):
    """A selection by lines of model_sources.py."""

    def __init__(self, store, excluded, spool):
        super().__init__(store, excluded, spool)
        self.known = set()
        self.copies = 0
        self.copied_bytes = 0

    def take_kind(self, kind, scale):
        """Takes `scale` of what the lines of a kind ask for. Returns bytes taken and bytes wanted."""
        wanted = 0
        for entry in kind.entries:
            limit = entry.megabytes * 1e6 * scale
            wanted += limit
            taken = 0
            for path, text in self._texts(kind.rule, entry):
                taken += self._add_new(kind.name, entry.package, path, text.encode("utf-8"))
                if taken >= limit:
                    break
        return self.taken[kind.name], wanted

    def _texts(self, rule, entry):
        """Path and text of each document that a line gives, in a fixed random order."""
        if entry.package.startswith("@"):
            yield from generated.documents(entry.package[1:])
            return
        queue = PackageQueue(entry.package, self.store.unpacked(entry.package))
        if entry.pattern:
            queue.files = [path for path in queue.files if entry.pattern.search(path)]
        while (file := queue.next_file()) is not None:
            for number, text in enumerate(pieces(rule, entry, *file)):
                yield file[0] + (f"#{number}" if number else ""), text

    def _add_new(self, kind, package, path, text):
        """Like _add, but documents that are mostly known give nothing either."""
        prints = {value for value in map(zlib.crc32, contamination.shingles(text)) if not value & 6}
        if len(prints) > 3 and len(prints & self.known) > KNOWN_SHARE * len(prints):
            self.copies += 1
            self.copied_bytes += len(text)
            return 0
        self.known |= prints
        return self._add(kind, package, path, text)

    def report(self):
        yield from super().report()
        yield f"left out as copies: {self.copies} documents, {self.copied_bytes} bytes"
