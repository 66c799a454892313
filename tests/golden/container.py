"""The container of formats/SPEC.md, read and written without our library: a second implementation,
small enough to read, that can also write archives that no lmzip would."""

import ctypes
import hashlib
import struct

MAGIC = b"\x89LMZ\r\n\x1a\n"
SYNC = b"\xfbLZ\x16"
END = b"\x16ZL\xfb"
INDEX, TRAILER = 62, 63
DIGEST, SKIPPABLE = 0x40, 0x80

_xxhash = ctypes.CDLL("libxxhash.so.0")
_xxhash.XXH3_64bits.restype = ctypes.c_uint64
_xxhash.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]


def xxh3(data):
    return _xxhash.XXH3_64bits(data, len(data))


class block:
    """A block with its header fields; coded_hash and sizes of the index follow from them."""

    FIELDS = "<BBBBIIQQQIB"

    def __init__(self, header, payload):
        (self.type, self.codec, self.version, self.why, self.parameters, self.plain_bytes,
         self.plain_offset, self.coded_hash, self.plain_hash, self.coded_bytes,
         self.mask) = struct.unpack_from(self.FIELDS, header, 4)
        self.digest = header[45:77] if self.type & DIGEST else b""
        self.payload = payload

    def header(self):
        body = SYNC + struct.pack(self.FIELDS, self.type, self.codec, self.version, self.why,
                                  self.parameters, self.plain_bytes, self.plain_offset,
                                  self.coded_hash, self.plain_hash, self.coded_bytes,
                                  self.mask) + self.digest
        return body + struct.pack("<I", xxh3(body) & 0xffffffff)

    def set_payload(self, payload):
        self.payload = payload
        self.coded_bytes, self.coded_hash = len(payload), xxh3(payload)


class member:
    """A member with fewer blocks than an index segment holds."""

    FIELDS = "<HHIIIQ32s"

    def __init__(self, data):
        assert data.startswith(MAGIC)
        (self.format, size, self.features, self.flags, self.block_bytes, self.memory,
         self.codec_data) = struct.unpack_from(self.FIELDS, data, 8)
        self.fields = data[64:size - 8]
        self.blocks, at = [], size
        while data[at + 4] & 0x3f != INDEX:
            head = 81 if data[at + 4] & DIGEST else 49
            found = block(data[at:at + head], b"")
            found.payload = data[at + head:at + head + found.coded_bytes]
            self.blocks.append(found)
            at += head + found.coded_bytes
        self.totals = {}  # overrides for the trailer
        assert self.bytes() == data, "container.py does not write what it reads"

    def header(self):
        size = 72 + len(self.fields)
        body = MAGIC + struct.pack(self.FIELDS, self.format, size, self.features, self.flags,
                                   self.block_bytes, self.memory, self.codec_data) + self.fields
        return body + struct.pack("<Q", xxh3(body))

    def index(self):
        body = SYNC + struct.pack("<BBHIQ", INDEX, 0, len(self.blocks), 0, 0)
        for each in self.blocks:
            plain = 0 if each.type & 0x3f > 1 else each.plain_bytes
            body += struct.pack("<II", plain, each.coded_bytes)
        return body + struct.pack("<Q", xxh3(body))

    def body(self):
        return self.header() + b"".join(b.header() + b.payload for b in self.blocks)

    def trailer(self, index_bytes):
        headers = self.header() + b"".join(b.header() for b in self.blocks)
        values = {"member_bytes": len(self.body()) + index_bytes + 80,
                  "plain_bytes": sum(b.plain_bytes for b in self.blocks if b.type & 0x3f <= 1),
                  "blocks": len(self.blocks), "hash": hashlib.sha256(headers).digest(),
                  "index_bytes": index_bytes, **self.totals}
        body = SYNC + bytes([TRAILER, 0, 0, 0]) + struct.pack(
            "<QQQ32sI", values["member_bytes"], values["plain_bytes"], values["blocks"],
            values["hash"], values["index_bytes"])
        return body + struct.pack("<Q", xxh3(body)) + END

    def bytes(self):
        index = self.index()
        return self.body() + index + self.trailer(len(index))
