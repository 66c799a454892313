#!/usr/bin/env python3
"""damage.py LMZIP: every flip of a byte and every cut of small archives.

Each damaged archive must end with exit status 4 and give nothing but a beginning of the plain
bytes. A cut exactly at the end of a member leaves a whole archive, and none is made there. The
unit tests of the engine flip every bit, in memory.
"""

import os
import subprocess
import sys
import tempfile

import sources

# Plain file, options. Small, so that every byte can have its turn.
CASES = [("one-byte", []), ("two-bytes", ["--strong"]), ("period", []), ("prose", ["-1"]),
         ("prose", ["-6"])]
PLAIN_LIMIT = 300


def variants(archive, ends):
    for position, value in enumerate(archive):
        flip = (0x01, 0x80, 0xff)[position % 3]
        changed = bytearray(archive)
        changed[position] = value ^ flip
        yield f"byte {position} ^ {flip:#x}", bytes(changed)
    for length in range(len(archive)):
        if length not in ends:
            yield f"cut to {length} bytes", archive[:length]


def decode(lmzip, archive, folder):
    path = os.path.join(folder, "archive.lmz")
    with open(path, "wb") as file:
        file.write(archive)
    return subprocess.run([lmzip, "-d", "-c", "-q", "-q", path], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)


def main():
    lmzip = sys.argv[1]
    tried, problems = 0, []
    archives = []
    for name, options in CASES:
        plain = sources.FILES[name][:PLAIN_LIMIT]
        archive = subprocess.run([lmzip, "-c"] + options, input=plain, stdout=subprocess.PIPE,
                                 check=True).stdout
        archives.append((f"{name} {options}", plain, archive, ()))
    first, second = archives[0], archives[1]
    archives.append(("two members", first[1] + second[1], first[2] + second[2], (len(first[2]),)))

    with tempfile.TemporaryDirectory() as folder:
        for name, plain, archive, ends in archives:
            for what, damaged in variants(archive, ends):
                result = decode(lmzip, damaged, folder)
                tried += 1
                if result.returncode != 4:
                    problems.append(f"{name}: {what}: exit {result.returncode}")
                if not plain.startswith(result.stdout):
                    problems.append(f"{name}: {what}: wrong bytes")
    print("\n".join(problems[:50]))
    print(f"{tried} damaged archives, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
