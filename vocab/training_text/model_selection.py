"""Chooses the documents of the neural models' text: so much of every package, no near copies."""

import collections
import concurrent.futures
import multiprocessing
import os
import shutil
import zlib

from training_text import contamination, generated
from training_text.model_documents import pieces
from training_text.selection import PackageQueue, Selection

KNOWN_SHARE = 0.6  # of a document's shingles, from which on it is a copy


class KindSelection(Selection):
    """The documents of one kind, by its lines in model_sources.py."""

    def __init__(self, store, excluded, spool):
        super().__init__(store, excluded, spool)
        self.known = set()
        self.copies = collections.Counter()

    def take(self, kind, scale):
        """Takes `scale` of what the lines of a kind ask for."""
        for entry in kind.entries:
            taken = 0
            for path, text in self._texts(kind.rule, entry):
                taken += self._add_new(kind.name, entry.package, path, text.encode("utf-8"))
                if taken >= entry.megabytes * 1e6 * scale:
                    break

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
            self.copies[kind] += len(text)
            return 0
        self.known |= prints
        return self._add(kind, package, path, text)


_inherited = {}  # what the processes of the kinds share with the one that forks them


def taken_kind(kind, path):
    """Takes a kind in a process of its own, its texts into the file `path`."""
    with open(path, "wb") as spool:
        selection = KindSelection(_inherited["store"], _inherited["excluded"], spool)
        selection.take(kind, _inherited["scale"])
    selection.store = selection.excluded = selection.spool = selection.known = None
    return selection


class ModelSelection(Selection):
    """The documents of all kinds; the kinds are chosen at the same time."""

    def __init__(self, store, excluded, spool):
        super().__init__(store, excluded, spool)
        self.copies = collections.Counter()

    def take_kinds(self, kinds, scale, log):
        self.store.prepare([entry.package for kind in kinds for entry in kind.entries
                            if not entry.package.startswith("@")])
        log(f"{self.store.downloaded_bytes / 1e6:.0f} MB of packages")
        paths = [f"{self.spool.name}.{kind.name}" for kind in kinds]
        _inherited.update(store=self.store, excluded=self.excluded, scale=scale)
        with concurrent.futures.ProcessPoolExecutor(
                len(kinds), multiprocessing.get_context("fork")) as processes:
            jobs = [processes.submit(taken_kind, kind, path) for kind, path in zip(kinds, paths)]
            for kind, path, job in zip(kinds, paths, jobs):
                self._join(job.result(), path)
                log(f"{kind.name}: {self.taken[kind.name] / 1e6:.1f} MB")

    def _join(self, selection, path):
        """Adds what a kind has given, less what other kinds have given already."""
        begin = self.spool.seek(0, 2)
        with open(path, "rb") as file:
            shutil.copyfileobj(file, self.spool)
        os.remove(path)
        for entry in selection.documents:
            if entry.order not in self.seen:
                self.seen.add(entry.order)
                self.documents.append(entry._replace(offset=begin + entry.offset))
                self.taken[entry.kind] += entry.bytes + 1
        self.dropped += selection.dropped
        self.dropped_bytes += selection.dropped_bytes
        self.copies += selection.copies

    def report(self):
        yield from super().report()
        for kind, left_out in self.copies.items():
            yield f"{kind}: {left_out} bytes left out as copies"
