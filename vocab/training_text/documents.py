"""Turns the files of a package into documents: which are used for a kind of text, and how."""

import gzip
import hashlib
import html
import os
import re
import struct
import zlib

CODE_SUFFIXES = set(
    ".c .h .cc .cpp .hpp .hh .cxx .hxx .inl .tcc .ipp .py .pyx .pl .pm .t .rb .js .mjs .ts .go .rs "
    ".java .php .sh .bash .el .lisp .lua .erl .hrl .ex .exs .m .ml .mli .hs .tcl .vim .scm .r .R "
    ".s .S .m4 .cmake .awk .sty .cls .tex .css .mac .gd .sed .ac .am .mk".split())
DATA_SUFFIXES = set(
    ".xml .json .yml .yaml .csv .tsv .sql .svg .html .htm .xhtml .ini .conf .cnf .toml .test "
    ".result .inc .dat .txt .ids .xsl .xsd .dtd .ldif .log .reject .properties .rdf .tab .mib "
    ".desktop .bki .xcu .po .list .geojson .j2 .cfg .xba".split())
NO_PROSE_SUFFIXES = set(
    ".svg .css .js .xml .json .csv .dtd .conf .idx .index .inv .svgz".split())

MIN_BYTES = 200
MAX_CHARACTERS = 1000000
MAX_COLLECTION_CHARACTERS = 5000000  # of files that hold many texts: novels, a dictionary's quotations
COLLECTION_SUFFIXES = (".rdb", ".dict")

BLOCK_TAG = re.compile(r"(?i)</?(p|div|br|tr|li|ul|ol|dl|dt|dd|h[1-6]|pre|table|section|blockquote|"
                       r"paragraph|article)\b[^>]*>")
HIDDEN = re.compile(r"(?is)<(script|style|head)\b.*?</\1>|<!--.*?-->|<\?.*?\?>|<!doctype[^>]*>")
TROFF_ESCAPE = re.compile(r"\\f(\[[^\]]*\]|\(..|.)|\\s[-+]?\d|\\[&|^:/%]")
TROFF_SILENT = (".TH", ".so", ".de", ".ds", ".ie", ".el", ".if", ".nr", ".in", ".sp", ".ad", ".ta")
TROFF_BREAK = (".SH", ".SS", ".PP", ".P", ".TP", ".IP")
UNWANTED_NAME = re.compile(r"\.min\.(js|css)$|changelog\.debian.*\.arch|copyright$")


def text_of_html(text):
    text = HIDDEN.sub(" ", text)
    text = BLOCK_TAG.sub("\n", text)
    text = re.sub(r"<[^>]{0,2000}>", "", text)
    text = html.unescape(text)
    text = re.sub(r"[ \t\xa0]+", " ", text)
    return re.sub(r"\n\s*\n\s*", "\n\n", text).strip() + "\n"


def text_of_man_page(text):
    lines = []
    for line in text.split("\n"):
        if line.startswith(('.\\"', "'\\\"")):
            continue
        if line[:1] in ".'":
            words = line.split(None, 1)
            shown = len(words) > 1 and words[0] not in TROFF_SILENT
            line = words[1].replace('"', "") if shown else ""
            if words and words[0] in TROFF_BREAK:
                line = "\n" + line
        line = TROFF_ESCAPE.sub("", line)
        lines.append(line.replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"


def messages_of_catalogue(data):
    """Pairs of original and translation of a compiled gettext catalogue."""
    order = "<" if data[:4] == b"\xde\x12\x04\x95" else ">"
    count, originals, translations = struct.unpack(order + "3I", data[8:20])
    for i in range(count):
        pair = []
        for table in (originals, translations):
            length, offset = struct.unpack_from(order + "2I", data, table + 8 * i)
            pair.append(data[offset:offset + length].decode())
        if pair[0]:
            yield pair


def text_of_catalogue(kind, path, data):
    """A compiled catalogue: that of a program as msgid and msgstr lines, that of a game, which tells
    stories, as plain text; None if it holds no text of the kind."""
    pairs = messages_of_catalogue(data)
    if "/games/" in path:
        if kind == "prose" and "/de/" not in path:  # the originals are the same in all languages
            return None
        place = 0 if kind == "prose" else 1
        # "context^message", "singular NUL plural"
        parts = (pair[place].split("\0")[-1].rsplit("^", 1)[-1] for pair in pairs)
        return "\n\n".join(part.strip() for part in parts) + "\n"
    if kind != "lang":
        return None
    lines = ([part.replace("\0", "|").replace("\n", "\\n") for part in pair] for pair in pairs)
    return "\n".join('msgid "{}"\nmsgstr "{}"\n'.format(*pair) for pair in lines)


def text_of_r_database(data):
    """The strings of an R package's data, a line each: a sequence of compressed objects, each after
    its length as a big-endian number; a string is a type word and a length before its bytes."""
    lines = []
    position = 0
    while position + 4 <= len(data):
        unpacked = zlib.decompressobj()
        try:
            plain = unpacked.decompress(data[position + 4:])
        except zlib.error:
            return None
        position = len(data) - len(unpacked.unused_data)
        for match in re.finditer(rb"\0\x04\0\x09\0\0(..)", plain, re.DOTALL):
            length = int.from_bytes(match.group(1), "big")
            lines.append(plain[match.end():match.end() + length])
    return b"\n".join(lines) + b"\n"


def text_of_utf8(data):
    """The text, or None if the bytes are not UTF-8 or look binary."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if "\0" in text[:1 << 20]:
        return None
    text = text.replace("\0", " ").replace("\r\n", "\n")
    controls = sum(text.count(chr(c)) for c in range(1, 32) if c not in (9, 10, 12, 13, 27))
    return text if controls * 200 <= len(text) else None


def is_of_kind(kind, path, suffix, data):
    """Whether a file belongs to a kind of text, by its name and first bytes."""
    name = os.path.basename(path.lower())
    if kind == "code":
        return suffix in CODE_SUFFIXES or data.startswith(b"#!")
    if kind == "data":
        return (suffix in DATA_SUFFIXES or name.startswith(("changelog", "news", "makefile"))
                or "/zoneinfo/" in path)
    if suffix in CODE_SUFFIXES and suffix not in (".t", ".tex") and "/man/" not in path:
        return False
    return suffix not in NO_PROSE_SUFFIXES or (suffix == ".json" and "i18n" in path)


def is_mostly_ascii(text):
    head = text[:20000]
    return sum(1 for c in head if ord(c) > 127) <= len(head) * .05


def prose_of(kind, path, suffix, text):
    """Text without markup, or None if it is in another language than the kind says."""
    if suffix in (".html", ".htm", ".xhtml", ".page", ".dict"):
        text = text_of_html(text)
    elif "/man/" in path and int(hashlib.sha256(path.encode()).hexdigest(), 16) % 3:
        text = text_of_man_page(text)  # every third page keeps its markup
    if kind == "prose" and not is_mostly_ascii(text):
        return None
    return text


def unpacked_file(path, data):
    """Path and bytes without gzip; None if the bytes are not what the name says."""
    if not path.endswith((".gz", ".dz", ".svgz")):
        return path, data
    try:
        return path.rsplit(".", 1)[0], gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        return None


def cut(text, most=MAX_CHARACTERS):
    """At most so many characters of the text, in whole lines; None if next to nothing is left."""
    if text is not None and len(text) > most:
        text = text[:text.rfind("\n", 0, most) + 1] or text[:most]
    return text if text is not None and len(text) >= MIN_BYTES else None


def document(kind, path, data):
    """The text of a file as it should appear under `kind`, or None."""
    file = unpacked_file(path, data)
    if file is None:
        return None
    path, data = file
    suffix = os.path.splitext(path)[1]
    if len(data) < MIN_BYTES:
        return None
    if suffix == ".mo":
        try:
            return cut(text_of_catalogue(kind, path, data))
        except (struct.error, UnicodeDecodeError):
            return None
    if suffix == ".rdb":
        data = text_of_r_database(data) or b""
    if UNWANTED_NAME.search(os.path.basename(path.lower())):
        return None
    if not is_of_kind(kind, path, suffix, data):
        return None
    text = text_of_utf8(data)
    if text is not None and kind in ("prose", "lang"):
        text = prose_of(kind, path, suffix, text)
    return cut(text, MAX_COLLECTION_CHARACTERS if suffix in COLLECTION_SUFFIXES else MAX_CHARACTERS)
