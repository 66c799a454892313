#!/usr/bin/env python3
"""No function that objects for different targets define may hold instructions of AVX or later.

The linker keeps one of several functions of the same name. If an object compiled for a newer
instruction set shares a name with another one, its code may run on a processor that lacks the
instructions. The target is the end of a source file's name. Usage: isa_names.py LIBRARY.a...
"""

import collections
import platform
import re
import subprocess
import sys

VEX = re.compile(r"^\s+[0-9a-f]+:\s+v[a-z]")
TARGET = re.compile(r"_(avx2|avx512)\.")


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def target_of(member):
    found = TARGET.search(member)
    return found[1] if found else "base"


def weak_functions(library):
    """(member, name) of the functions that the linker may drop in favour of another's."""
    member = library
    for line in lines("nm", "--defined-only", library):
        if line.endswith(":"):
            member = line[:-1]
        elif line.split()[1:2] == ["W"]:
            yield member, line.split()[2]


def vector_functions(library):
    """(member, name) of the functions with AVX instructions."""
    member = name = ""
    for line in lines("objdump", "-d", "--no-show-raw-insn", library):
        if ":     file format" in line:
            member = line.split(":")[0]
        elif line.endswith(">:"):
            name = line[line.index("<") + 1 : -2]
        elif VEX.match(line):
            yield member, name


def main(libraries):
    if platform.machine() != "x86_64":
        return 0
    places = collections.defaultdict(set)
    vector = set()
    for library in libraries:
        for member, name in weak_functions(library):
            places[name].add((library, member))
        vector.update((library, *found) for found in vector_functions(library))
    if not vector:
        sys.exit("no vector instructions found: wrong libraries?")
    shared = {
        name
        for name, objects in places.items()
        if len({target_of(member) for _, member in objects}) > 1
        and any((*o, name) in vector for o in objects)
    }
    for name in sorted(shared):
        print(f"{', '.join(sorted(m for _, m in places[name]))}: {name}")
    return 1 if shared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
