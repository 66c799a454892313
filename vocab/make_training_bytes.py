#!/usr/bin/env python3
"""Builds the bytes that the start parameters of lmzip's byte mode are trained on.

Pieces of machine code, fonts and tables from Debian packages, which are downloaded and unpacked,
never installed, and pieces of the training text, all in turn. The result depends on the package
versions and the text only. OUTPUT.packages.txt lists the versions.
"""

import argparse
import os
import shutil
import sys

from training_text.packages import PackageStore

PIECE_BYTES = 256 * 1024  # one block of the parameter trainer

# Package and the files of it, by their path; none of them stands in the benchmark files.
FILES = [
    ("git", "usr/bin/git"),
    ("libstdc++6", "usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30"),
    ("perl-base", "usr/bin/perl"),
    ("gcc-mingw-w64-i686-win32-runtime", "usr/lib/gcc/i686-w64-mingw32/12-win32/libstdc++-6.dll"),
    ("gcc-mingw-w64-i686-win32-runtime", "usr/lib/gcc/i686-w64-mingw32/12-win32/libgfortran-5.dll"),
    ("fonts-dejavu-core", "usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"),
    ("libicu72", "usr/lib/x86_64-linux-gnu/libicudata.so.72.1"),
    ("libc6", "lib/x86_64-linux-gnu/libc.so.6"),
    ("vim", "usr/bin/vim.basic"),
    ("libmagic-mgc", "usr/lib/file/magic.mgc"),
    ("libc-l10n", "usr/share/locale/de/LC_MESSAGES/libc.mo"),
    ("bash", "bin/bash"),
]
PIECES_OF_A_FILE = 2


def pieces_of_file(path):
    """Up to PIECES_OF_A_FILE pieces from the middle of a file."""
    with open(path, "rb") as file:
        data = file.read()
    wanted = PIECE_BYTES * PIECES_OF_A_FILE
    start = max(0, (len(data) - wanted) // 2)
    part = data[start:start + wanted]
    return [part[i:i + PIECE_BYTES] for i in range(0, len(part), PIECE_BYTES)]


def pieces_of_text(path, count):
    """`count` pieces spread over the training text, without its document marks."""
    with open(path, "rb") as file:
        size = os.path.getsize(path)
        for i in range(count):
            file.seek(size // count * i)
            yield file.read(PIECE_BYTES).replace(b"\0", b"")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", metavar="OUTPUT")
    parser.add_argument("--text", required=True, metavar="FILE",
                        help="the training text (make_training_text.py)")
    parser.add_argument("--cache", metavar="DIR", help="keep downloads in DIR")
    arguments = parser.parse_args()

    cache = arguments.cache or arguments.output + ".cache"
    store = PackageStore(cache, lambda text: print(text, file=sys.stderr))
    binary = []
    for package, path in FILES:
        folder = store.unpacked(package)
        if folder is None:
            sys.exit(f"no package {package}")
        binary += pieces_of_file(os.path.join(folder, path))
    with open(arguments.output, "wb") as out:
        for data, text in zip(binary, pieces_of_text(arguments.text, len(binary))):
            out.write(text)
            out.write(data)
    store.write_versions(arguments.output + ".packages.txt")
    if not arguments.cache:
        shutil.rmtree(cache)


if __name__ == "__main__":
    main()
