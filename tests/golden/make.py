#!/usr/bin/env python3
"""make.py LMZIP: makes the golden archives and the tables of the README files from sources.py.

good/ is what lmzip writes, with two archives that only a later version would write; bad/ and
unsupported/ are made of these by the functions below, each of which is one fault. The tables hold
what this build says; read the difference before you commit it.
"""

import hashlib
import os
import shutil
import struct
import subprocess
import sys

import sources
from container import SKIPPABLE, block, member

HERE = os.path.dirname(os.path.abspath(__file__))

BASE = "checkpoint.default"  # what archives called base are made against

GOOD = [  # source, variant, options, sentence
    ("empty", "default", [], "No bytes at all: header, index and trailer."),
    ("one-byte", "default", [], "The shortest block."),
    ("two-bytes", "strong", ["--strong"], "A short block with a SHA-256."),
    ("prose", "default", [], "English text, in the token mode of the text codec."),
    ("prose", "zstd-1", ["-1"], "zstd, level 1."),
    ("prose", "zstd-3", ["-3"], "zstd, level 3."),
    ("prose", "level-4", ["-4"], "English text, in the fast token codec."),
    ("prose", "level-5", ["-5"], "English text, in the weakest strength of the text codec."),
    ("prose", "level-7", ["-7"], "English text, in the strongest strength of the text codec."),
    ("prose", "level-8", ["-8"], "English text, with the network of the small shipped model."),
    ("table", "level-4", ["-4"], "Comma-separated numbers, sorted."),
    ("log", "level-7", ["-7"], "A log, in the strongest strength of the text codec."),
    ("records", "level-5", ["-5"], "Binary records, in the weakest strength."),
    ("prose", "strong", ["--strong"], "A SHA-256 in every block."),
    ("prose", "small-blocks", ["--block-size=4KiB"], "Text in blocks of the smallest size."),
    ("languages", "default", [], "Several scripts, with bytes over 127."),
    ("log", "default", [], "A log: long repeats with small changes."),
    ("table", "default", [], "Comma-separated numbers."),
    ("records", "default", [], "Binary records of 24 bytes, for the byte mode."),
    ("machine-code", "default", [], "Calls as in programs for x86, for the filter."),
    ("all-bytes", "default", [], "Every value of a byte, twice."),
    ("noise", "default", [], "Incompressible: stored."),
    ("zeros", "default", [], "Constant bytes: filled."),
    ("period", "default", [], "Three bytes for ever: filled with a period."),
    ("far-repeat", "zstd-3", ["-3"], "zstd with a match far back."),
    ("far-repeat", "references", ["-1", "--block-size=8KiB", "--window=1MiB"],
     "Blocks that refer to earlier ones."),
    ("checkpoint", "level-1", ["-1"], "Tensors, their exponents in short prefix codes."),
    ("checkpoint", "default", [], "Tensors, by range ANS."),
    ("buffers", "default", [], "Tensors that short programs make."),
    ("buffers", "full", ["--search=full", "-5"], "The same, by the longest search."),
    ("mixed", "default", ["--block-size=16KiB"], "Blocks that suit different codecs."),
    ("later-checkpoint", "base", [], f"Tensors against those of `{BASE}.lmz`."),
    ("half-checkpoint", "base", [], f"Tensors of `{BASE}.lmz` in other types, and equal ones."),
]


def change(name, function):
    """An archive made of the good one `name` by changing its parsed form."""
    def make(good):
        parsed = member(good[name])
        result = function(parsed)
        return parsed.bytes() if result is None else result
    return make


def edit(name, function):
    """An archive made of the good one `name` by changing its bytes."""
    return lambda good: function(good[name])


def setter(part, **values):
    """Sets fields of the member (part None) or of the block number `part`."""
    def apply(parsed):
        target = parsed if part is None else parsed.blocks[part]
        for key, value in values.items():
            assert hasattr(target, key)
            setattr(target, key, value)
    return apply


def needs_model(name):
    """As if the network of the model of that name had been an input (bit 7 of the parameters)."""
    def apply(parsed):
        parsed.fields = field(1, name)
        parsed.blocks[0].parameters |= 1 << 7 | name[0] << 24 | name[1] << 16
    return apply


def flip(position, data):
    changed = bytearray(data)
    changed[position] ^= 0x10
    return bytes(changed)


def swap_blocks(m):
    m.blocks[1], m.blocks[2] = m.blocks[2], m.blocks[1]


def new_payload(payload):
    def apply(m):
        m.blocks[0].set_payload(payload(m.blocks[0].payload))
    return apply


def without_index(m):
    return m.body() + m.trailer(0)


def index_of_other(m):
    right = m.index()
    m.blocks[0].plain_bytes -= 1
    wrong = m.index()
    m.blocks[0].plain_bytes += 1
    return m.body() + wrong + m.trailer(len(right))


def field(tag, content):
    return struct.pack("<HH", tag, len(content)) + content


def later_block(type_byte):
    """A block of a type that does not exist yet, in front of the others."""
    def apply(m):
        extra = block(m.blocks[0].header(), b"")
        extra.type, extra.codec = type_byte, 0
        extra.set_payload(b"Something that a later version writes.")
        extra.plain_bytes, extra.plain_hash = extra.coded_bytes, extra.coded_hash
        m.blocks.insert(0, extra)
    return apply


TEXT, ZSTD, FILL = "prose.default", "prose.zstd-3", "period.default"
MIXED, STRONG = "mixed.default", "prose.strong"

BAD = [  # name, maker, sentence
    ("prose.no-bytes", lambda g: b"", "An emptied archive."),
    ("prose.not-an-archive", lambda g: sources.FILES["prose"], "Plain text under our suffix."),
    ("prose.magic", edit(TEXT, lambda d: flip(1, d)), "A bit of the magic is flipped."),
    ("prose.text-mode", edit(TEXT, lambda d: d.replace(b"\r\n", b"\n")),
     "Line ends were changed in transfer."),
    ("prose.seven-bits", edit(TEXT, lambda d: bytes(b & 0x7f for b in d)),
     "The eighth bit was lost in transfer."),
    ("prose.header", edit(TEXT, lambda d: flip(20, d)), "A bit of the member header is flipped."),
    ("prose.block-header", edit(TEXT, lambda d: flip(90, d)),
     "A bit of a block header is flipped."),
    ("prose.payload", edit(TEXT, lambda d: flip(len(d) // 2, d)), "A bit of a payload is flipped."),
    ("prose.plain-hash", change(TEXT, setter(0, plain_hash=1)),
     "The hash of the plain bytes is another's; everything else fits."),
    ("prose.digest", change(STRONG, setter(0, digest=bytes(32))),
     "The SHA-256 of a block is another's; everything else fits."),
    ("prose.digest-missing", change(STRONG, setter(0, digest=b"", type=0)),
     "A block without SHA-256 in a member that promises them."),
    ("prose.size-of-block", change(TEXT, setter(0, plain_bytes=2**30)),
     "A block claims a gigabyte, more than the header allows."),
    ("prose.text-payload", change(TEXT, new_payload(lambda p: bytes(p[::-1]))),
     "The payload of a text block is nonsense with a fitting hash."),
    ("prose.text-payload-cut", change(TEXT, new_payload(lambda p: p[:len(p) // 2])),
     "The payload of a text block ends early, with a fitting hash."),
    ("prose.text-parameters", change(TEXT, setter(0, parameters=0xffffffff)),
     "A text block with parameters that no encoder writes."),
    ("prose.zstd-payload", change(ZSTD, new_payload(lambda p: p[:40] + p[41:])),
     "The payload of a zstd block is nonsense with a fitting hash."),
    ("period.fill-payload", change(FILL, new_payload(lambda p: p[:1] + p)),
     "A fill block whose period has another length."),
    ("noise.store-payload", change("noise.default", new_payload(lambda p: p[:-1])),
     "A stored block that is shorter than its plain size."),
    ("mixed.swapped-blocks", change(MIXED, swap_blocks), "Two blocks changed places."),
    ("mixed.missing-block", change(MIXED, lambda m: m.blocks.pop(1) and None),
     "A block in the middle is missing; index and trailer fit."),
    ("mixed.cut-between-blocks", change(MIXED, lambda m: m.body()),
     "The archive ends after its last block."),
    ("prose.cut-in-payload", edit(TEXT, lambda d: d[:len(d) // 2]), "Half an archive."),
    ("prose.cut-in-trailer", edit(TEXT, lambda d: d[:-1]), "The last byte is missing."),
    ("prose.index-missing", change(TEXT, without_index), "The index is missing."),
    ("prose.index", change(TEXT, index_of_other), "An intact index that contradicts the blocks."),
    ("prose.total", change(TEXT, setter(None, totals={"plain_bytes": 1})),
     "An intact trailer with a wrong plain size."),
    ("prose.headers-hash", change(TEXT, setter(None, totals={"hash": bytes(32)})),
     "An intact trailer with a wrong hash of the headers."),
    ("prose.garbage-behind", edit(TEXT, lambda d: d + b"more"), "Something follows the archive."),
]

UNSUPPORTED = [
    ("prose.format", change(TEXT, setter(None, format=1)), "A newer format version."),
    ("prose.feature", change(TEXT, setter(None, features=0x80)), "A feature of later versions."),
    ("prose.flag", change(TEXT, setter(None, flags=0x80)), "A flag of later versions."),
    ("prose.field", change(TEXT, setter(None, fields=field(0x0100, b"?"))),
     "A header field of later versions that must be understood."),
    ("prose.model", change(TEXT, needs_model(bytes(range(32)))), "Needs a model."),
    ("prose.base", change(TEXT, setter(None, fields=field(2, bytes([1, 0])))), "Needs a base."),
    ("later-checkpoint.without-base", lambda good: good["later-checkpoint.base"],
     "Needs a base that is there if it is given."),
    ("prose.codec-data", change(TEXT, setter(None, codec_data=bytes(range(32)))),
     "Made with another vocabulary."),
    ("prose.codec", change(TEXT, setter(0, codec=200)), "A codec of later versions."),
    ("prose.codec-version", change(TEXT, setter(0, version=99)),
     "A later version of a codec."),
    ("prose.block-type", change(TEXT, later_block(9)),
     "A block of a later type that must be understood."),
]


def build_good(lmzip):
    good = {}
    base = os.path.join(HERE, "base.lmz")
    for source, variant, options, _ in GOOD:
        if variant == "base":
            options = options + ["--base", base]
        good[f"{source}.{variant}"] = subprocess.run(
            [lmzip, "-c", "-T1"] + options, input=sources.FILES[source], stdout=subprocess.PIPE,
            check=True).stdout
        if f"{source}.{variant}" == BASE:
            with open(base, "wb") as file:
                file.write(good[BASE])
    os.unlink(base)
    return good


def later_good(good):
    """Archives that need care to be read, or that later versions write: name, bytes, sentence."""
    return [
        ("prose.zeros-behind", good[TEXT] + bytes(512), "Zero bytes behind, as tapes leave them."),
        ("prose.skippable-block", change(TEXT, later_block(9 | SKIPPABLE))(good),
         "A block of a later type that may be read over."),
        ("prose.skippable-field", change(TEXT, setter(None, fields=field(0x8100, b"?")))(good),
         "A header field of later versions that may be ignored."),
        ("prose.empty-members", good["empty.default"] + good[TEXT] + good["empty.default"],
         "Three members, two of them empty."),
    ]


def plain_hash(name):
    return hashlib.sha256(sources.FILES[name.split(".")[0]]).hexdigest()


def write(kind, rows, titles, introduction):
    """Writes archives and the table; rows: name, bytes, cells."""
    folder = os.path.join(HERE, kind)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    lines = [introduction, "", "| " + " | ".join(titles) + " |", "|---" * len(titles) + "|"]
    for name, archive, cells in rows:
        with open(os.path.join(folder, name + ".lmz"), "wb") as file:
            file.write(archive)
        lines.append(f"| `{name}.lmz` | " + " | ".join(cells) + " |")
    with open(os.path.join(folder, "README.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def faulty_rows(lmzip, good, cases, allowed):
    path = os.path.join(HERE, "case.lmz")
    for name, make, sentence in cases:
        archive = make(good)
        with open(path, "wb") as file:
            file.write(archive)
        result = subprocess.run([lmzip, "-d", "-c", path], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, check=False)
        text = result.stderr.decode().strip()
        if result.returncode != allowed or "\n" in text:
            print(f"make.py: {name}: exit {result.returncode} instead of {allowed}: {text}",
                  file=sys.stderr)
        message = text.removeprefix(f"lmzip: {path}: ")
        yield name, archive, [str(result.returncode), f"`{message}`", sentence]
    os.unlink(path)


def main():
    lmzip = os.path.abspath(sys.argv[1])
    good = build_good(lmzip)
    rows = [(f"{source}.{variant}", good[f"{source}.{variant}"], sentence)
            for source, variant, _, sentence in GOOD] + later_good(good)
    write("good", [(name, archive, [f"`{plain_hash(name)}`", sentence])
                   for name, archive, sentence in rows],
          ["file", "SHA-256 of the plain bytes", "what it is"],
          "# Archives that decode\n\nMade by `make.py`; compared by `check.py`.")
    write("bad", faulty_rows(lmzip, good, BAD, 4), ["file", "exit", "message", "what is wrong"],
          "# Damaged archives\n\nMade by `make.py`; compared by `check.py`. What comes out before the "
          "message is the\nbeginning of the plain file and nothing else.")
    write("unsupported", faulty_rows(lmzip, good, UNSUPPORTED, 6),
          ["file", "exit", "message", "what it needs"],
          "# Archives that are whole but need something else\n\nMade by `make.py`; compared by "
          "`check.py`.")


if __name__ == "__main__":
    main()
