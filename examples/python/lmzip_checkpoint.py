#!/usr/bin/env python3
"""Reads the tensors of a safetensors file inside an lmzip archive, without unpacking it.

    from lmzip_checkpoint import Checkpoint
    with Checkpoint("model.safetensors.lmz") as model:
        for name, entry in model.tensors.items():
            print(name, entry.dtype, entry.shape)
        weights = model["layers.0.weight"]            # a memoryview of the tensor's bytes
        array = model.numpy("layers.0.weight")        # where NumPy is installed

An archive that was made against others (lmzip --base) needs these: Checkpoint(path, base=[...]).

As a program, it lists the tensors: lmzip_checkpoint.py [--base=FILE...] ARCHIVE [TENSOR >FILE]

Needs Python 3.8 and the library liblmzip; no package. Only the blocks that a tensor needs are
decoded, and every hash is checked before any byte is given out.
"""

import ctypes
import ctypes.util
import json
import os
import struct
import sys
from typing import Dict, List, NamedTuple, Optional, Sequence

MAX_HEADER = 100_000_000  # bytes, by the safetensors format

# NumPy has no bfloat16 and no types of eight bits and fewer with an exponent: their bits come as
# unsigned numbers.
NUMPY_TYPES = {
    "BOOL": "?", "U8": "u1", "I8": "i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4",
    "U64": "<u8", "I64": "<i8", "F16": "<f2", "BF16": "<u2", "F32": "<f4", "F64": "<f8",
    "C64": "<c8", "F8_E4M3": "u1", "F8_E5M2": "u1", "F8_E8M0": "u1",
}


class LmzipError(Exception):
    """What the library says of an archive it cannot read; `code` as in lmzip.h."""

    def __init__(self, code: int, text: str):
        super().__init__(text)
        self.code = code


class _Options(ctypes.Structure):
    """struct lmzip_options."""

    _fields_ = [("size", ctypes.c_size_t), ("level", ctypes.c_int32), ("threads", ctypes.c_uint32),
                ("block_bytes", ctypes.c_uint64), ("memory_limit", ctypes.c_uint64),
                ("output_limit", ctypes.c_uint64), ("verify", ctypes.c_int32),
                ("strong", ctypes.c_int32), ("cache_bytes", ctypes.c_uint64),
                ("base", ctypes.c_void_p)]


class Entry(NamedTuple):
    """One tensor: its type and shape, and where its bytes stand in the file."""

    dtype: str
    shape: List[int]
    offset: int
    size: int


def _library() -> ctypes.CDLL:
    name = os.environ.get("LMZIP_LIBRARY") or ctypes.util.find_library("lmzip") or "liblmzip.so"
    lib = ctypes.CDLL(name)
    lib.lmzip_error_text.restype = ctypes.c_char_p
    lib.lmzip_error_text.argtypes = [ctypes.c_int]
    lib.lmzip_options_init.restype = None
    lib.lmzip_options_init.argtypes = [ctypes.POINTER(_Options), ctypes.c_size_t]
    lib.lmzip_base_open.argtypes = [
        ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t, ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_void_p)]
    lib.lmzip_base_free.restype = None
    lib.lmzip_base_free.argtypes = [ctypes.c_void_p]
    lib.lmzip_reader_open.argtypes = [
        ctypes.c_char_p, ctypes.POINTER(_Options), ctypes.POINTER(ctypes.c_void_p)]
    lib.lmzip_reader_size.restype = ctypes.c_uint64
    lib.lmzip_reader_size.argtypes = [ctypes.c_void_p]
    lib.lmzip_reader_read.argtypes = [
        ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t,
        ctypes.POINTER(ctypes.c_size_t)]
    lib.lmzip_reader_free.restype = None
    lib.lmzip_reader_free.argtypes = [ctypes.c_void_p]
    return lib


class Checkpoint:
    """An archive of one safetensors file. Safe to use from several threads. `base`: paths of what it
    was made against (checkpoints, folders of shards, archives)."""

    def __init__(self, path, base: Sequence = ()):
        self._lib = _library()
        self._reader = ctypes.c_void_p()
        options = _Options()
        self._lib.lmzip_options_init(ctypes.byref(options), ctypes.sizeof(options))
        options.base = self._open_base(base)
        try:
            self._check(self._lib.lmzip_reader_open(os.fsencode(path), ctypes.byref(options),
                                                    ctypes.byref(self._reader)))
        finally:
            self._lib.lmzip_base_free(options.base)  # the reader keeps what it needs
        try:
            self.tensors: Dict[str, Entry] = self._read_header()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Closes the archive; memoryviews that were given out stay valid."""
        self._lib.lmzip_reader_free(self._reader)
        self._reader = ctypes.c_void_p()

    def __getitem__(self, name: str) -> memoryview:
        """The bytes of a tensor. Raises KeyError, or LmzipError if its blocks are damaged."""
        entry = self.tensors[name]
        return self.read(entry.offset, entry.size)

    def numpy(self, name: str):
        """A tensor as a NumPy array."""
        import numpy  # pylint: disable=import-outside-toplevel
        entry = self.tensors[name]
        return numpy.frombuffer(self[name], NUMPY_TYPES[entry.dtype]).reshape(entry.shape)

    def read(self, offset: int, size: int) -> memoryview:
        """Bytes of the safetensors file."""
        into = bytearray(size)
        if size == 0:
            return memoryview(into)
        count = ctypes.c_size_t()
        buffer = (ctypes.c_char * size).from_buffer(into)
        self._check(self._lib.lmzip_reader_read(self._reader, offset, buffer, size,
                                                ctypes.byref(count)))
        if count.value != size:
            raise ValueError("the file ends too early")
        return memoryview(into)

    def _open_base(self, paths: Sequence) -> Optional[int]:
        base = ctypes.c_void_p()
        if paths:
            names = (ctypes.c_char_p * len(paths))(*map(os.fsencode, paths))
            self._check(self._lib.lmzip_base_open(names, len(paths), None, ctypes.byref(base)))
        return base.value

    def _read_header(self) -> Dict[str, Entry]:
        total = self._lib.lmzip_reader_size(self._reader)
        if total < 8:
            raise ValueError("not a safetensors file")
        (size,) = struct.unpack("<Q", self.read(0, 8))
        if size > min(MAX_HEADER, total - 8):
            raise ValueError("not a safetensors file")
        begin = 8 + size
        tensors = {}
        for name, entry in json.loads(bytes(self.read(8, size)).decode("utf-8")).items():
            if name == "__metadata__":
                continue
            first, last = entry["data_offsets"]
            if not 0 <= first <= last <= total - begin:
                raise ValueError(f"{name}: outside the file")
            tensors[name] = Entry(entry["dtype"], entry["shape"], begin + first, last - first)
        return tensors

    def _check(self, code: int):
        if code != 0:
            raise LmzipError(code, self._lib.lmzip_error_text(code).decode())


def main(arguments: List[str]) -> int:
    option = "--base="
    base = [each[len(option):] for each in arguments if each.startswith(option)]
    arguments = [each for each in arguments if not each.startswith(option)]
    if len(arguments) not in (1, 2):
        print(__doc__, file=sys.stderr)
        return 1
    with Checkpoint(arguments[0], base) as model:
        if len(arguments) == 2:
            sys.stdout.buffer.write(model[arguments[1]])
            return 0
        for name, entry in model.tensors.items():
            print(f"{entry.dtype:8} {str(entry.shape):>16} {entry.size:13}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
