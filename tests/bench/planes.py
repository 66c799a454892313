#!/usr/bin/env python3
"""planes.py split|join: turns a safetensors file on standard input into byte planes and back.

What people do by hand before they compress a checkpoint: of each tensor all first bytes, then all
second bytes, and so on. Headers, other files and bytes after the last tensor stay as they are.
"""

import json
import struct
import sys

WIDTHS = {"F64": 8, "I64": 8, "U64": 8, "C64": 4, "F32": 4, "I32": 4, "U32": 4,
          "F16": 2, "BF16": 2, "I16": 2, "U16": 2}


def tensors_of(data):
    """(begin, end, bytes of a number) of each tensor, in order."""
    try:
        (size,) = struct.unpack_from("<Q", data)
        header = json.loads(data[8:8 + size].decode("utf-8"))
        header.pop("__metadata__", None)
        return sorted((8 + size + e["data_offsets"][0], 8 + size + e["data_offsets"][1],
                       WIDTHS.get(e["dtype"], 1)) for e in header.values())
    except (ValueError, AttributeError, KeyError, TypeError, struct.error):
        return []


def split(numbers, width):
    return b"".join(numbers[plane::width] for plane in range(width))


def join(planes, width):
    numbers = bytearray(len(planes))
    count = len(planes) // width
    for plane in range(width):
        numbers[plane::width] = planes[plane * count:(plane + 1) * count]
    return bytes(numbers)


def main():
    turn = {"split": split, "join": join}[sys.argv[1]]
    data = sys.stdin.buffer.read()
    at, out = 0, sys.stdout.buffer
    for begin, end, width in tensors_of(data):
        out.write(data[at:begin])
        out.write(turn(data[begin:end], width))
        at = end
    out.write(data[at:])


if __name__ == "__main__":
    main()
