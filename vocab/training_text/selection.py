"""Chooses documents until each kind of text has its share."""

import collections
import hashlib
import os

from training_text.documents import document

MAX_FILE_BYTES = 60000000
ROUNDS = 6


class PackageQueue:
    """The files of a package in a fixed random order, and how many of them were used."""

    def __init__(self, package, folder):
        self.folder = folder
        self.files = []
        self.position = 0
        for root, _, names in os.walk(folder or ""):
            for name in names:
                path = os.path.join(root, name)
                if (not os.path.islink(path) and os.path.isfile(path)
                        and os.path.getsize(path) < MAX_FILE_BYTES):
                    self.files.append(os.path.relpath(path, folder))
        self.files.sort(key=lambda path: hashlib.sha256((package + "/" + path).encode()).digest())

    def next_file(self):
        """Path and bytes of the next file, or None."""
        if self.position == len(self.files):
            return None
        path = self.files[self.position]
        self.position += 1
        with open(os.path.join(self.folder, path), "rb") as file:
            return path, file.read()


Document = collections.namedtuple("Document", "order kind package path offset bytes")


class Selection:
    """Documents chosen so far; their texts are in the file `spool`."""

    def __init__(self, store, excluded, spool):
        self.store = store
        self.excluded = excluded
        self.spool = spool
        self.documents = []
        self.seen = set()
        self.taken = collections.Counter()
        self.dropped = collections.Counter()
        self.dropped_bytes = collections.Counter()

    def take_kind(self, kind, total_bytes):
        """Takes the share of a kind of `total_bytes`. Returns bytes taken and bytes wanted."""
        wanted = kind.share * total_bytes
        # Every package gives at most a little more than its part, then more from the first ones on.
        limit = max(wanted * 2.2 / len(kind.packages), 150000)
        queues = {}
        for _ in range(ROUNDS):
            for package in kind.packages:
                if self.taken[kind.name] >= wanted:
                    return self.taken[kind.name], wanted
                if package not in queues:
                    queues[package] = PackageQueue(package, self.store.unpacked(package))
                self._take(kind.name, package, queues[package],
                           min(limit, wanted - self.taken[kind.name]))
            limit *= 2
        return self.taken[kind.name], wanted

    def _take(self, kind, package, queue, limit):
        taken = 0
        while taken < limit:
            file = queue.next_file()
            if file is None:
                return
            path, data = file
            text = document(kind, path, data)
            if text is not None:
                taken += self._add(kind, package, path, text.encode("utf-8"))

    def _add(self, kind, package, path, text):
        """Returns the bytes added: 0 for a document that was there already or is contaminated."""
        digest = hashlib.sha256(text).digest()[:12]
        if digest in self.seen:
            return 0
        self.seen.add(digest)
        if self.excluded.contaminates(text):
            self.dropped[kind] += 1
            self.dropped_bytes[kind] += len(text)
            return 0
        order = hashlib.sha256(b"order" + digest).digest()
        self.documents.append(
            Document(order, kind, package, path, self.spool.tell(), len(text)))
        self.spool.write(text)
        self.taken[kind] += len(text) + 1
        return len(text) + 1

    def write(self, output):
        """Writes the documents of all kinds, shuffled, and their list."""
        self.documents.sort()
        offset = 0
        with open(output, "wb") as text, open(output + ".manifest.tsv", "w",
                                              encoding="utf-8") as manifest:
            manifest.write("offset\tbytes\tkind\tpackage\tpath\n")
            for entry in self.documents:
                self.spool.seek(entry.offset)
                text.write(b"\0" + self.spool.read(entry.bytes))
                manifest.write(f"{offset + 1}\t{entry.bytes}\t{entry.kind}\t{entry.package}\t"
                               f"{entry.path}\n")
                offset += entry.bytes + 1

    def report(self):
        yield f"{sum(self.taken.values())} bytes, {len(self.documents)} documents"
        for kind, taken in self.taken.items():
            yield (f"{kind}: {taken} bytes; dropped as contaminated: {self.dropped[kind]} "
                   f"documents, {self.dropped_bytes[kind]} bytes")
