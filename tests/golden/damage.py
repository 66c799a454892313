#!/usr/bin/env python3
"""damage.py LMZIP: every flip of a byte and every cut of small archives.

Each damaged archive must end with exit status 4 and give nothing but a beginning of the plain
bytes. A cut exactly at the end of a member leaves a whole archive, and none is made there. The
unit tests of the engine flip every bit, in memory.
"""

import concurrent.futures
import os
import subprocess
import sys

import sources

# Plain file, options. Small, so that every byte can have its turn.
CASES = [("two-bytes", ["--strong"]), ("prose", ["-1"]), ("prose", ["-6"])]
PLAIN_LIMIT = 120


def variants(archive, ends):
    for position, value in enumerate(archive):
        flip = (0x01, 0x80, 0xff)[position % 3]
        changed = bytearray(archive)
        changed[position] = value ^ flip
        yield f"byte {position} ^ {flip:#x}", bytes(changed)
    for length in range(len(archive)):
        if length not in ends:
            yield f"cut to {length} bytes", archive[:length]


def check(lmzip, plain, what, damaged):
    """What is wrong with the way this archive is decoded, as lines of text."""
    result = subprocess.run([lmzip, "-d", "-c", "-qq"], input=damaged, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, timeout=60, check=False)
    if result.returncode != 4:
        yield f"{what}: exit {result.returncode}"
    if not plain.startswith(result.stdout):
        yield f"{what}: wrong bytes"


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

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, plain, archive, ends in archives:
            found = pool.map(lambda case: list(check(lmzip, plain, f"{name}: {case[0]}", case[1])),
                             variants(archive, ends))
            for lines in found:
                tried += 1
                problems += lines
    print("\n".join(problems[:50]))
    print(f"{tried} damaged archives, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
