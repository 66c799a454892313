#!/usr/bin/env python3
"""Writes the stored inputs of tensor_layout_fuzz and tensor_text_fuzz: small files of each format,
good and bad.

Usage: make_tensor_corpus.py [FOLDER]
"""

import io
import json
import os
import struct
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def tensor(dtype, shape, begin, end):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def safetensors(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def gguf_text(text):
    return struct.pack("<Q", len(text)) + text


def gguf(tensors, data, version=3, pairs=()):
    out = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(pairs)) + b"".join(pairs)
    for name, axes, kind, offset in tensors:
        out += gguf_text(name) + struct.pack("<I", len(axes))
        out += b"".join(struct.pack("<Q", axis) for axis in axes)
        out += struct.pack("<IQ", kind, offset)
    return out + bytes(-len(out) % 32) + data


def npy(descr, shape, data, fortran=False):
    literal = f"{{'descr': {descr!r}, 'fortran_order': {fortran}, 'shape': {shape!r}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(literal)) + literal + data


def archive(members, compress=False):
    out = io.BytesIO()
    method = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    with zipfile.ZipFile(out, "w", method) as file:
        for name, data in members.items():
            file.writestr(zipfile.ZipInfo(name), data, method)
    return out.getvalue()


def pickle_text(text):
    return b"X" + struct.pack("<I", len(text)) + text


def pickle(kind=b"HalfStorage"):
    storage = (b"(" + pickle_text(b"storage") + b"q\x00ctorch\n" + kind + b"\n" + pickle_text(b"0")
               + pickle_text(b"cpu") + b"K\x04tQ")
    view = (b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + b"K\x00K\x02K\x02\x86K\x02K\x01\x86"
            + b"\x89NtR")
    return b"\x80\x02}" + pickle_text(b"w") + view + b"s."


def layouts():
    a = tensor("F16", [3], 0, 6)
    b = tensor("U8", [1], 6, 7)
    tokens = (gguf_text(b"tokens") + struct.pack("<IIQ", 9, 8, 2) + gguf_text(b"a")
              + gguf_text(b"b"))
    align = gguf_text(b"general.alignment") + struct.pack("<II", 4, 32)
    described = [(b"a", [3, 2], 0, 0), (b"q", [32], 2, 32)]
    torch = {"m/data.pkl": pickle(), "m/byteorder": b"little", "m/data/0": bytes(8)}
    array = npy("<f4", (2,), bytes(8))
    good = archive(torch)
    return {
        "safetensors": safetensors({"__metadata__": {"k": "v"}, "b": b, "a": a}, bytes(7)),
        "safetensors-empty": safetensors(b"{}"),
        "safetensors-hole": safetensors({"a": a, "b": tensor("U8", [1], 8, 9)}, bytes(9)),
        "safetensors-same-name": safetensors(b'{"a":{},"\\u0061":' + json.dumps(a).encode() + b"}",
                                             bytes(6)),
        "safetensors-long": safetensors({"a": a}, bytes(9)),
        "safetensors-cut": safetensors({"a": a}, bytes(3)),
        "lfs-pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
        "gguf": gguf(described, bytes(50), pairs=(tokens, align)),
        "gguf-unknown-type": gguf([(b"a", [3], 99, 0), (b"b", [4], 1, 32)], bytes(40)),
        "gguf-big-endian": gguf(described, bytes(50), version=0x03000000),
        "npy": array,
        "npy-two": npy("<f8", (2, 1), bytes(16), True) + npy(">i2", (), bytes(2)),
        "npy-record": npy([("a", "<f4", (2,)), ("b", "|S3")], (1,), bytes(11)),
        "npz": archive({"a.npy": array, "b.npy": npy("<i8", (0,), b"")}),
        "npz-compressed": archive({"a.npy": array}, compress=True),
        "torch": good,
        "torch-cut": good[:-30],
        "zip": archive({"a.txt": b"text"}),
    }


def texts():
    index = {"metadata": {"total_size": 3}, "weight_map": {"a": "x", "b": "y"}}
    return {
        "json": b"\x00" + json.dumps({"a": [1, -2.5e3, None, True, "\u00e9\ud83d\ude00"]}).encode(),
        "json-string": b'\x00"\\ud83d\\ude00\\n"',
        "json-deep": b"\x00" + b"[" * 200,
        "index": b"\x01" + json.dumps(index).encode(),
        "literal": b"\x02{'descr': '>f4', 'fortran_order': True, 'shape': (3L, 4), }",
        "literal-record": b"\x02{'descr': [('a', [('b', '<M8[ns]')], (2,)), (('t', 'n'), '<i2')], "
                          b"'fortran_order': False, 'shape': ()}",
        "pickle": b"\x03" + pickle(),
        "pickle-untyped": b"\x03" + pickle(b"UntypedStorage").replace(
            b"\x89N", b"\x89Nctorch\nuint16\n"),
        "pickle-list": b"\x03](N}" + pickle_text(b"a") + b"K\x01sh\x00\x94e.",
    }


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "corpus")
    for name, files in (("tensor_layout", layouts()), ("tensor_text", texts())):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        for file_name, content in files.items():
            with open(os.path.join(folder, name, file_name), "wb") as file:
                file.write(content)


if __name__ == "__main__":
    main()
