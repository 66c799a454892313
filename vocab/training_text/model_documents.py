"""Documents of the neural models' text: more formats than documents.py knows, and long files in pieces.

documents.py stays as it is, because the shipped vocabulary was made with it.
"""

import bz2
import hashlib
import lzma
import os
import re
import struct
import zlib

from training_text import documents

PIECE_CHARACTERS = 1000000
MAX_PIECES = 4
MAX_MARKED_UP_CHARACTERS = 24000000
MAX_COLLECTION_PIECES = 16  # of files that hold many texts
SWORD_SUFFIXES = (".bzz", ".czz")
COLLECTION_SUFFIXES = (".rdb", ".dict", ".rda", ".RData") + SWORD_SUFFIXES
NO_PROSE_NAMES = ("changelog", "news.debian", "changes")
MARKUP_SUFFIXES = (".docbook", ".xml", ".cache")

PO_FIELD = re.compile(r'^(msgid|msgstr)(?:\[0\])?[ \t]+((?:"(?:\\.|[^"\\\n])*"\s*)+)', re.MULTILINE)
PO_STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"')
TRANSLATED_PAGE = re.compile(r"\.html\.[a-z]{2}(-[a-z]{2})?(\.[a-z0-9-]+)?$")
VERSE_END = re.compile(r"([.;:,?!’”)])(?=[A-Z¿¡“])")
ZLIB_START = re.compile(rb"\x78[\x01\x5e\x9c\xda]")
ENCODINGS = {"mueller7-dict": "koi8-r", "dict-gcide": "utf-8"}


def unescaped(text):
    return re.sub(r"\\(.)", lambda match: {"n": "\n",
                                           "t": "\t"}.get(match.group(1), match.group(1)),
                  text, flags=re.DOTALL)


def messages_of_po(text):
    """Pairs of original and translation of a gettext source; doubtful and obsolete ones left out."""
    for entry in re.split(r"\n[ \t]*\n", text):
        if "#~" in entry or re.search(r"(?m)^#,.*\bfuzzy\b", entry):
            continue
        fields = {name: unescaped("".join(PO_STRING.findall(strings)))
                  for name, strings in reversed(PO_FIELD.findall(entry))}
        if fields.get("msgid") and fields.get("msgstr"):
            yield fields["msgid"], fields["msgstr"]


def is_one_in(count, path):
    return int(hashlib.sha256(path.encode()).hexdigest(), 16) % count == 0


def text_of_messages(path, pairs):
    """Translations as plain text; every sixth file keeps its originals and the form of its source."""
    pairs = [pair for pair in pairs if pair[0] != pair[1]]
    if is_one_in(6, path):
        lines = ([part.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
                  for part in pair]
                 for pair in pairs)
        return "\n".join('msgid "{}"\nmsgstr "{}"\n'.format(*pair) for pair in lines)
    return "\n\n".join(pair[1].split("\0")[0].strip() for pair in pairs) + "\n"


def text_of_r_objects(data):
    """The strings of a saved R workspace, a line each."""
    for unpack in (zlib.decompressobj(31).decompress, bz2.decompress, lzma.decompress):
        try:
            plain = unpack(data)
            break
        except (zlib.error, OSError, lzma.LZMAError, ValueError):
            continue
    else:
        return b""
    lines = []
    for match in re.finditer(rb"\0(?:\x04\0|\0\x80)\x09(....)", plain, re.DOTALL):
        length = int.from_bytes(match.group(1), "big")
        if length < len(plain):
            lines.append(plain[match.end():match.end() + length])
    return b"\n".join(lines) + b"\n"


def text_of_sword_module(data):
    """A Bible or commentary of the SWORD project: compressed blocks one after the other."""
    parts = []
    position = 0
    while (match := ZLIB_START.search(data, position)) is not None:
        unpacked_block = zlib.decompressobj()
        try:
            parts.append(unpacked_block.decompress(data[match.start():]))
            position = len(data) - len(unpacked_block.unused_data)
        except zlib.error:
            position = match.end()
    text = re.sub(r"<(?!/?(p|div|br)\b)[^>]*>", "", b"\n".join(parts).decode("utf-8", "replace"))
    return VERSE_END.sub(r"\1\n", documents.text_of_html(text)).encode()


def text_of_lyx(text):
    """The paragraphs of a LyX document."""
    text = text[text.find("\\begin_body"):]
    text = re.sub(r"(?s)\\begin_inset "
                  r"(Graphics|Formula|CommandInset|Index|ERT|space|Float).*?\\end_inset",
                  " ", text)
    text = re.sub(r"\n(?![\n\\])", " ", text)
    lines = (line for line in text.split("\n") if not line.startswith(("\\", "#")))
    text = "\n".join(line.strip() for line in lines if line.strip())
    return re.sub(r" +", " ", text) + "\n"


def unpacked(path, data):
    try:
        if path.endswith(".bz2"):
            return path[:-4], bz2.decompress(data)
        if path.endswith(".xz"):
            return path[:-3], lzma.decompress(data)
    except (OSError, EOFError, lzma.LZMAError):
        return None
    return documents.unpacked_file(path, data)


def bytes_of_text(package, path, suffix, data):
    """The bytes of a file of a format whose text is not simply there."""
    if suffix in SWORD_SUFFIXES:
        return text_of_sword_module(data)
    if suffix in (".rda", ".RData"):
        return text_of_r_objects(data)
    if suffix == ".rdb":
        return documents.text_of_r_database(data) or b""
    if package in ENCODINGS:
        return data.decode(ENCODINGS[package], "ignore").encode()
    return data


def catalogue(rule, path, data):
    """The text of a compiled gettext catalogue, or None."""
    try:
        if rule == "prose":
            return documents.text_of_catalogue(rule, path, data)
        pairs = [(pair[0].split("\0")[0], pair[1])
                 for pair in documents.messages_of_catalogue(data)]
        return text_of_messages(path, pairs)
    except (struct.error, UnicodeDecodeError):
        return None


def plain_text(rule, path, suffix, text):
    """Prose of a marked-up file."""
    if suffix == ".po":
        return text_of_messages(path, messages_of_po(text))
    if suffix == ".lyx":
        text = text_of_lyx(text)
    elif suffix in MARKUP_SUFFIXES or TRANSLATED_PAGE.search(path):
        text = documents.text_of_html(text)
    return documents.prose_of(rule, path, suffix, text)


def text_of_file(rule, entry, path, data):
    """The text of a file as it should appear, or None. `rule` is a kind of documents.py or "any"."""
    file = unpacked(path, data)
    if file is None or len(file[1]) < documents.MIN_BYTES:
        return None
    path, data = file
    suffix = os.path.splitext(path)[1]
    if suffix == ".mo":
        return catalogue(rule, path, data)
    name = os.path.basename(path.lower())
    if documents.UNWANTED_NAME.search(name):
        return None
    if rule in ("prose", "lang") and name.startswith(NO_PROSE_NAMES):
        return None
    data = bytes_of_text(entry.package, path, suffix, data)
    chosen = entry.pattern is not None or rule == "any" or suffix in COLLECTION_SUFFIXES
    if not chosen and not documents.is_of_kind(rule, path, suffix, data):
        return None
    text = documents.text_of_utf8(data)
    if text is not None and rule in ("prose", "lang"):
        text = plain_text(rule, path, suffix, text[:MAX_MARKED_UP_CHARACTERS])
    return text


def pieces(rule, entry, path, data):
    """The documents of a file: its text, or whole lines of about a million characters each."""
    text = text_of_file(rule, entry, path, data)
    is_collection = path.endswith(COLLECTION_SUFFIXES + (".dict.dz",))
    for _ in range(MAX_COLLECTION_PIECES if is_collection else MAX_PIECES):
        if text is None or len(text) < documents.MIN_BYTES:
            return
        piece = documents.cut(text, PIECE_CHARACTERS)
        if piece is not None:
            yield piece
        text = text[len(piece or text):]
