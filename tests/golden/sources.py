#!/usr/bin/env python3
"""sources.py FOLDER: writes the plain files behind the golden archives, the same bytes every time.

They are small and each is there for a codec or a path of one: see the functions below.
"""

import json
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


class generator:
    """A linear congruential generator: the same numbers in every version of Python."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit


def prose():
    """English text, for the token mode of the text codec."""
    with open(os.path.join(HERE, "prose.txt"), "rb") as file:
        return file.read()


def languages():
    """The same sentence in several scripts: tokens of many bytes, and bytes over 127."""
    lines = ["All human beings are born free and equal in dignity and rights.",
             "Alle Menschen sind frei und gleich an Würde und Rechten geboren.",
             "Tous les êtres humains naissent libres et égaux en dignité et en droits.",
             "Все люди рождаются свободными и равными в своем достоинстве и правах.",
             "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
             "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق."]
    return "".join(f"{n}. {lines[n % 6]}\n" for n in range(60)).encode()


def log():
    """A log: long repeats with small changes, for the match models."""
    random = generator(1)
    second, lines = 0, []
    for _ in range(400):
        second += random.below(3)
        host = f"10.0.{random.below(4)}.{random.below(250)}"
        word = ("accepted", "closed", "timed out after 30 s")[random.below(3)]
        lines.append(f"2024-02-29T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z "
                     f"gateway[{300 + random.below(4)}]: connection from {host} port "
                     f"{1024 + random.below(60000)} {word}\n")
    return "".join(lines).encode()


def table():
    """Comma-separated numbers, where columns predict better than what stands before."""
    random = generator(2)
    rows = ["day,station,temperature,pressure\n"]
    for day in range(500):
        rows.append(f"{day},ST{random.below(9):02},{15 + random.below(90) / 10:.1f},"
                    f"{1000 + random.below(400) / 10:.1f}\n")
    return "".join(rows).encode()


def records():
    """Binary records of 24 bytes, for the byte mode and its column contexts."""
    random = generator(3)
    out = bytearray()
    for number in range(800):
        out += (1000 + number).to_bytes(4, "little") + b"\0\0\1\0"
        out += (1709164800 + 60 * number).to_bytes(8, "little")
        out += random.below(4096).to_bytes(4, "little") + bytes([number % 7, 0, 0, 255])
    return bytes(out)


def machine_code():
    """Calls of a few functions by distance, as in programs for x86, for the filter."""
    random = generator(4)
    targets = [random.below(2**20) for _ in range(12)]
    out = bytearray(b"\x7fELF\2\1\1" + bytes(9) + b"\2\0\x3e\0\1\0\0\0")
    while len(out) < 16000:
        out += (b"\x48\x89\xc7", b"\x31\xc0", b"\x48\x8b\x45\xf8", b"\x0f\x1f\x40\0")[
            random.below(4)]
        distance = targets[random.below(12)] - len(out) - 5
        out += b"\xe8" + (distance % 2**32).to_bytes(4, "little")
        if random.below(6) == 0:
            out += b"\xc3\x55\x48\x89\xe5"
    return bytes(out)


def noise(size=5000):
    """Incompressible bytes."""
    random = generator(5)
    return bytes(random.below(256) for _ in range(size))


def far_repeat():
    """The same noise twice, far apart."""
    return noise(3000) + bytes(range(256)) * 40 + noise(3000)


def mixed():
    """Blocks of 16 KiB that suit different codecs."""
    block = 16384
    return b"".join(part[:block].ljust(block, b"\n")
                    for part in (prose(), noise(block), bytes(block), records(), log()))


def normal(random, count, deviation):
    """The sum of four equal chances is normal enough."""
    return [deviation * (sum(random.below(65536) for _ in range(4)) - 131070) / 37836
            for _ in range(count)]


def upper_halves(numbers):
    return b"".join(struct.pack("<f", number)[2:] for number in numbers)


def tensor_file(tensors):
    """A safetensors file of (name, type, shape, numbers)."""
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, kind, shape, numbers in tensors:
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [at, at + len(numbers)]}
        at += len(numbers)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(tensor[3] for tensor in tensors)


def buffers():
    """A safetensors file of tensors that short programs make: masks, copies, tables of sines."""
    random = generator(7)
    weights = struct.pack("<1536f", *(sum(random.below(65536) for _ in range(4)) / 2**20 - 0.125
                                      for _ in range(1536)))
    rows = [weights[128 * r:128 * r + 128] for r in range(48)]
    codes = [random.below(255) - 127 for _ in range(1024)]
    steps = [struct.unpack("<f", struct.pack("<f", 0.013 + 0.001 * r))[0] for r in range(16)]
    # Only + - * / and sqrt are the same everywhere: sines by addition theorems from one exact angle.
    cosine, sine, table = 1.0, 0.0, []
    for _ in range(64):
        table.append((cosine, sine))
        cosine, sine = cosine * 0.9807852804032304 - sine * 0.19509032201612825, \
            sine * 0.9807852804032304 + cosine * 0.19509032201612825
    return tensor_file([
        ("position_ids", "I64", [1, 300], struct.pack("<300q", *range(300))),
        ("mask", "BOOL", [1, 1, 40, 40], bytes(c <= r for r in range(40) for c in range(40))),
        ("ones", "BF16", [500], b"\x80\x3f" * 500),
        ("w", "F32", [48, 32], weights),
        ("w.tied", "F32", [48, 32], weights),
        ("w.reversed", "F32", [48, 32], b"".join(reversed(rows))),
        ("w.gathered", "F32", [40, 32], b"".join(rows[7 * i % 48] for i in range(40))),
        ("w.negated", "F32", [48, 32],
         struct.pack("<1536f", *(-x for x in struct.unpack("<1536f", weights)))),
        ("w.transposed", "F32", [32, 48],
         b"".join(rows[r][4 * c:4 * c + 4] for c in range(32) for r in range(48))),
        ("quantised", "F32", [16, 64],
         struct.pack("<1024f", *(steps[i // 64] * q for i, q in enumerate(codes)))),
        ("few", "F32", [900], struct.pack("<900f", *(1 + random.below(5) for _ in range(900)))),
        ("sparse", "F32", [2000], struct.pack("<2000f", *(
            (random.below(9000) / 7 if random.below(12) == 0 else 0) for _ in range(2000)))),
        ("fourier.cos", "F32", [33, 32], struct.pack("<1056f", *(
            table[2 * r * c % 64][0] for r in range(33) for c in range(32)))),
        ("step", "I64", [], struct.pack("<q", 77)),
    ])


def checkpoint_numbers(random):
    return {"embedding": normal(random, 36000, 0.02),
            "norm": [1 + w for w in normal(random, 600, 0.1)],
            "layer.weight": normal(random, 16800, 0.05), "layer.bias": normal(random, 2000, 0.3),
            "scale": normal(random, 400, 2.0), "codes": normal(random, 4000, 20)}


def checkpoint_of(numbers, step):
    return tensor_file([
        ("embedding", "BF16", [600, 60], upper_halves(numbers["embedding"])),
        ("norm", "F32", [600], struct.pack("<600f", *numbers["norm"])),
        ("layer.weight", "F32", [120, 140], struct.pack("<16800f", *numbers["layer.weight"])),
        ("layer.bias", "F16", [2000], struct.pack("<2000e", *numbers["layer.bias"])),
        ("scale", "F64", [400], struct.pack("<400d", *numbers["scale"])),
        ("codes", "I8", [100, 40], struct.pack("<4000b", *(int(w) for w in numbers["codes"]))),
        ("step", "I64", [], struct.pack("<q", step)),
    ])


def checkpoint():
    """A safetensors file: numbers of several types, large tensors and small ones."""
    return checkpoint_of(checkpoint_numbers(generator(6)), 2550)


def later_checkpoint():
    """The same some steps of training later."""
    random = generator(6)
    numbers = checkpoint_numbers(random)
    for name, values in numbers.items():
        numbers[name] = [v * (1 + s) for v, s in zip(values, normal(random, len(values), 0.002))]
    return checkpoint_of(numbers, 2600)


def half_checkpoint():
    """Tensors of the checkpoint, cast, by another name, and as they are."""
    numbers = checkpoint_numbers(generator(6))
    single = struct.unpack("<16800f", struct.pack("<16800f", *numbers["layer.weight"]))
    return tensor_file([
        ("layer.weight", "F16", [120, 140], struct.pack("<16800e", *single)),
        ("token_embedding", "BF16", [600, 60], upper_halves(numbers["embedding"])),
        ("scale", "F64", [400], struct.pack("<400d", *numbers["scale"])),
    ])


FILES = {
    "empty": b"", "one-byte": b"A", "two-bytes": b"\0\xff",
    "prose": prose(), "languages": languages(), "log": log(), "table": table(),
    "records": records(), "machine-code": machine_code(), "noise": noise(),
    "zeros": bytes(100000), "period": b"\1\2\3" * 20000 + b"\1", "far-repeat": far_repeat(),
    "mixed": mixed(), "all-bytes": bytes(range(256)) * 2,
    "checkpoint": checkpoint(), "buffers": buffers(),
    "later-checkpoint": later_checkpoint(),
    "half-checkpoint": half_checkpoint(),
}


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    for name, content in FILES.items():
        with open(os.path.join(sys.argv[1], name), "wb") as file:
            file.write(content)


if __name__ == "__main__":
    main()
