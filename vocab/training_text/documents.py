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


def text_of_message_catalogue(data):
    """A compiled gettext catalogue as msgid and msgstr lines."""
    order = "<" if data[:4] == b"\xde\x12\x04\x95" else ">"
    count, originals, translations = struct.unpack(order + "3I", data[8:20])
    entries = []
    for i in range(count):
        pair = []
        for table in (originals, translations):
            length, offset = struct.unpack_from(order + "2I", data, table + 8 * i)
            pair.append(data[offset:offset + length].decode().replace("\0", "|")
                        .replace("\n", "\\n"))
        if pair[0]:
            entries.append('msgid "{}"\nmsgstr "{}"\n'.format(*pair))
    return "\n".join(entries)


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
    if suffix in (".html", ".htm", ".xhtml"):
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
            return text_of_message_catalogue(data) if kind == "lang" else None
        except (struct.error, UnicodeDecodeError):
            return None
    if UNWANTED_NAME.search(os.path.basename(path.lower())):
        return None
    if not is_of_kind(kind, path, suffix, data):
        return None
    text = text_of_utf8(data)
    if text is not None and kind in ("prose", "lang"):
        text = prose_of(kind, path, suffix, text)
    if text is None:
        return None
    if len(text) > MAX_CHARACTERS:
        text = text[:text.rfind("\n", 0, MAX_CHARACTERS) + 1] or text[:MAX_CHARACTERS]
    return text if len(text) >= MIN_BYTES else None
