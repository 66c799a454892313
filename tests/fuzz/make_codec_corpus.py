#!/usr/bin/env python3
"""Writes the stored inputs of the fuzzers that depend on the codec data: text, decompress/text*,
model/recurrent, model/transformer.

Usage: make_codec_corpus.py LMZIP [FOLDER]. To be run again when the vocabulary, the parameter file or
the arithmetic of a codec changes.
"""

import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "golden"))
from container import member  # noqa: E402  pylint: disable=wrong-import-position

PROSE = (b"The quick brown fox jumps over the lazy dog. It was the best of times, it was the worst of "
         b"times; the dog sleeps, and the fox jumps over the dog again, as the fox always does.\n")
POLISH = ("Zażółć gęślą jaźń. Pchnąć w tę łódź jeża lub ośm skrzyń fig; pójdźże, kiń tę chmurność w głąb "
          "flaszy! Źródła, łąki, żółwie, ćmy, śledź, gżegżółka.\n").encode() * 2
RECORDS = b"".join(struct.pack("<HBBI", i, i % 3, 200, 7 * i) for i in range(60))
MACHINE_CODE = b"".join(b"\x55\x48\x89\xe5\xe8" + struct.pack("<i", 4000 - 13 * i) + b"\x5d\xc3\x90"
                        for i in range(40))


def packed(lmzip, level, plain):
    return subprocess.run([lmzip, f"-{level}", "-c"], input=plain, capture_output=True,
                          check=True).stdout


def text_input(archive):
    """The input of text_fuzz for the only block of an archive, which must be one of text."""
    block = member(archive).blocks[0]
    assert block.codec == 3, block.codec
    payload = bytes(b ^ block.mask for b in block.payload)
    return struct.pack("<IH", block.parameters, block.plain_bytes) + payload


def main():
    lmzip = sys.argv[1]
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "corpus")

    def write(name, data):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)

    for level in (5, 6, 7):
        for kind, plain in (("prose", PROSE), ("polish", POLISH), ("records", RECORDS),
                            ("machine_code", MACHINE_CODE)):
            write(f"text/{kind}_{level}", text_input(packed(lmzip, level, plain)))
    write("text/bad_parameters", struct.pack("<IH", 0x2a03, 9) + b"\x07\x08\x09")
    for name, byte in (("zeros", b"\0"), ("ones", b"\xff")):
        write(f"text/{name}", struct.pack("<IH", 0x0a03, 800) + byte * 64)

    maker = os.path.join(os.path.dirname(lmzip), "..", "..", "tests", "lmzip-make-model")
    for kind in ("recurrent", "transformer"):
        subprocess.run([maker, os.path.join(folder, "model", kind), "0", kind], check=True)

    archive = packed(lmzip, 6, PROSE)
    write("decompress/text", archive)
    write("decompress/text_cut", archive[:len(archive) * 7 // 10])
    write("decompress/text_damaged", archive[:150] + bytes([archive[150] ^ 16]) + archive[151:])


if __name__ == "__main__":
    main()
