#!/usr/bin/env python3
"""Writes the stored inputs of vocabulary_fuzz: small vocabulary files, good and bad.

Usage: make_vocabulary_corpus.py [FOLDER]. Files but "good" have no hash at their end; the harness
adds a right one.
"""

import hashlib
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOKENS = [b"ab", b"th", b"the", b" the", b"abab", b"\xe6\x97", b"\xe6\x97\xa5"]


def flat_depths(leaves):
    """Depths of a tree with 256 ... 512 leaves."""
    return [9] * (2 * (leaves - 256)) + [8] * (512 - leaves)


def vocabulary(tokens, depths=None, version=0, count=None):
    """A vocabulary file without its hash."""
    all_tokens = [bytes([b]) for b in range(256)] + tokens
    content = b"\x8bLMV\r\n\x1a\n" + struct.pack("<HH", version, count or len(all_tokens))
    content += b"".join(bytes([len(token)]) + token for token in all_tokens)
    return content + bytes(depths or flat_depths(len(all_tokens)))


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "corpus", "vocabulary")
    good = vocabulary(TOKENS)
    files = {
        "good": good + hashlib.sha256(good).digest(),
        "good-unsealed": good,
        "cut": good[:600],
        "newer-version": vocabulary([], version=1),
        "count-too-large": vocabulary([], count=65535),
        "long-token": vocabulary([b"a" * 49]),
        "duplicate-token": vocabulary([b"ab", b"ab"]),
        "unmergeable-token": vocabulary([b"abc"]),
        "depths-no-tree": vocabulary([b"ab"], [9, 9] + [8] * 254 + [9]),
    }
    os.makedirs(folder, exist_ok=True)
    for name, content in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)


if __name__ == "__main__":
    main()
