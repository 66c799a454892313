#!/usr/bin/env python3
"""Writes the inputs of tree_fuzz: entries, streams of them and stamps, as
lib/archive/tree/entry_format.h describes them, and a pattern.

Usage: make_tree_corpus.py [FOLDER]      (tests/fuzz/corpus by default)
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FILE, FOLDER, SYMLINK, FIFO, CHARACTERS, BLOCKS, LINK = range(7)
STREAM, ENTRIES, STAMPS, PATTERN = b"\x00", b"\x01", b"\x02", b"\x03"


def number(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def zigzag(value):
    return number(value << 1 if value >= 0 else ((-value) << 1) - 1)


def text(value):
    return number(len(value)) + value


def entry(kind, path, rest, version=0):
    body = bytes([version << 4 | kind]) + text(path) + rest
    return number(len(body)) + body


def common(flags=b"", mode=0o644, links=None, attributes=()):
    flag = (1 if links else 0) | (2 if attributes else 0) | sum(flags)
    out = number(flag) + number(mode) + number(1000) + number(100) + text(b"me") + text(b"users")
    out += zigzag(1700000000) + number(123456789)
    if links:
        out += number(links)
    if attributes:
        out += number(len(attributes))
        out += b"".join(text(name) + text(value) for name, value in attributes)
    return out


def extents(*triples):
    return b"".join(number(s) + zigzag(o) + number(n) for s, o, n in triples)


def inputs():
    folder = entry(FOLDER, b"a", common(mode=0o3755))
    file = entry(FILE, b"a/b", common() + number(10) + extents((3, 1000, 4), (3, 0, 1), (0, 7, 5)))
    sparse = entry(FILE, b"a/c", common(b"\x04") + number(1 << 40)
                   + number(2) + number(4096) + number(10) + number(1 << 30) + number(7)
                   + extents((0, 5, 17)))
    rich = entry(FILE, b"a/d", common(links=2, attributes=(
        (b"system.posix_acl_access", b"\x02\0\0\0"), (b"user.x", b""))) + number(0))
    link = entry(LINK, b"a/e", text(b"a/d"))
    symlink = entry(SYMLINK, b"b", common(mode=0o777) + text(b"../../etc"))
    device = entry(CHARACTERS, b"c", common() + number(1) + number(3))
    fifo = entry(FIFO, b"\xff", common())
    top = entry(FOLDER, b"", common())
    one_path = [entry(FILE, path, common() + number(0))
                for path in (b"/etc", b"../x", b"a//b", b"a/.", b"a\0b", b"")]
    return {
        "stream": STREAM + top + folder + file + sparse + rich + link + symlink + device + fifo,
        "stream-unsorted": STREAM + symlink + folder,
        "stream-below-link": STREAM + symlink + entry(FILE, b"b/x", common() + number(0)),
        "entries": ENTRIES + fifo + device + symlink + link + rich + sparse + file + folder,
        "entries-bad-paths": b"\x01".join([b""] + one_path),
        "link-to-outside": ENTRIES + entry(LINK, b"z", text(b"../a")),
        "link-to-itself": ENTRIES + entry(LINK, b"z", text(b"z")),
        "newer": ENTRIES + entry(FIFO, b"a", common(), version=1),
        "huge-count": ENTRIES + entry(FILE, b"a", common(b"\x04") + number(1 << 62)
                                      + number(1 << 61)),
        "huge-file": ENTRIES + entry(FILE, b"a", common() + number((1 << 63) - 1)
                                     + extents((0, 0, (1 << 63) - 1))),
        "pattern": PATTERN + b"/a/**/[!b-d]*.\\?o/\0a/x/y/z.?o",
        "stamps": STAMPS + (zigzag(1700000000) + number(5) + number(1 << 40) + number(2049)) * 2,
    }


def main():
    folder = os.path.join(sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "corpus"), "tree")
    os.makedirs(folder, exist_ok=True)
    for name, content in inputs().items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)


if __name__ == "__main__":
    main()
