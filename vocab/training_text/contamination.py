"""Finds documents that share text with files that must stay unseen, such as a benchmark set."""

import os
import re
import zlib

SHINGLE_BYTES = 64
SHARED_SHINGLES = 3

# Shingles begin at places that the content decides, so that shifted copies have the same ones.
ANCHOR = re.compile(rb"\n|[ ,](?=[aehst0-4])")


def shingles(text):
    """Every other 64-byte string, by its CRC, of those that begin at anchors."""
    last = len(text) - SHINGLE_BYTES
    for match in ANCHOR.finditer(text):
        begin = match.end()
        if begin > last:
            break
        shingle = text[begin:begin + SHINGLE_BYTES]
        if not zlib.crc32(shingle) & 1:
            yield shingle


def is_telling(shingle):
    """False for rulers, padding and the like, which unrelated texts share."""
    return len(set(shingle)) >= 12


class ExcludedText:
    """The shingles of all files under some folders."""

    def __init__(self, folders):
        self.shingles = set()
        for folder in folders:
            for root, _, names in os.walk(folder):
                for name in names:
                    path = os.path.join(root, name)
                    if os.path.islink(path):
                        continue
                    with open(path, "rb") as file:
                        self.shingles.update(filter(is_telling, shingles(file.read())))

    def __len__(self):
        return len(self.shingles)

    def contaminates(self, text):
        """True if at least three different shingles of `text` are excluded."""
        if not self.shingles:
            return False
        shared = set()
        for shingle in shingles(text):
            if shingle in self.shingles:
                shared.add(shingle)
                if len(shared) >= SHARED_SHINGLES:
                    return True
        return False
