#!/usr/bin/env python3
"""Writes the stored inputs of delta_block_fuzz: payloads of blocks against a base whose bytes are made
up as the fuzzer makes them up.

Usage: make_base_corpus.py LMZIP [FOLDER]
"""

import json
import os
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "golden"))
from container import member  # noqa: E402  pylint: disable=wrong-import-position

WIDTHS = {"BF16": 2, "F32": 4, "F64": 8, "I8": 1, "I16": 2, "F16": 2}


def made_up(size):
    return bytes((0x3c + i // 64 % 4 if i % 2 else i * 37) & 255 for i in range(size))


def checkpoint(tensors):
    header, data = {}, b""
    for name, (dtype, content) in tensors.items():
        header[name] = {"dtype": dtype, "shape": [len(content) // WIDTHS[dtype]],
                        "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def changed(content, step):
    return bytes(b ^ 1 if i % step == 0 else b for i, b in enumerate(content))


def cases():
    """Name, base, checkpoint against it."""
    for dtype, width in WIDTHS.items():
        content = made_up(2048 * width // 2 * 2)
        yield dtype.lower(), {"a": (dtype, content)}, {"a": (dtype, changed(content, 8 * width))}
    content = made_up(4096)
    yield "equal", {"a": ("BF16", content)}, {"a": ("BF16", content)}
    yield ("segments", {"a": ("BF16", content), "b": ("BF16", content[:512])},
           {"a": ("BF16", changed(content, 16)), "b": ("BF16", content[:512]),
            "new": ("BF16", content[:64])})
    upper = bytes(b for i in range(0, len(content), 2) for b in b"\0\0" + content[i:i + 2])
    yield "cast", {"a": ("BF16", content)}, {"a": ("F32", upper)}
    yield "cast-changed", {"a": ("BF16", content)}, {"a": ("F32", changed(upper, 64))}


def delta_blocks(lmzip, base, plain):
    with tempfile.NamedTemporaryFile() as file:
        file.write(checkpoint(base))
        file.flush()
        archive = subprocess.run([lmzip, "-c", "-4", "--base", file.name], input=checkpoint(plain),
                                 capture_output=True, check=True).stdout
    return [block for block in member(archive).blocks if block.codec == 9]


def main():
    lmzip = os.path.abspath(sys.argv[1])
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "corpus", "delta_block")
    os.makedirs(folder, exist_ok=True)
    for name, base, plain in cases():
        blocks = delta_blocks(lmzip, base, plain)
        if not blocks:
            print(f"{name}: no block against the base", file=sys.stderr)
        for block in blocks[:1]:
            payload = bytes(b ^ block.mask for b in block.payload)
            with open(os.path.join(folder, name), "wb") as file:
                file.write(struct.pack("<HH", block.plain_bytes, block.parameters) + payload)


if __name__ == "__main__":
    main()
