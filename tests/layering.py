#!/usr/bin/env python3
"""Checks the rules of HACKING.md about who may include what.

Usage: layering.py [--self-test] [ROOT]

Reads the #include lines of every C and C++ file under app, lib, formats and vocab and fails if
  - a file includes a layer that does not stand to its right,
  - a file outside lib/core/io includes a header of the operating system,
  - a file outside lib/engine includes a header of threads or of oneTBB (lib/core/io may: a thread
    waits for signals),
  - a decoder reaches an encoder's header, directly or through others.
"""

import os
import re
import shutil
import sys
import tempfile

# Folder of a layer and the layers it may include besides itself. The longest folder wins.
LAYERS = {
    "lib/core": [],
    "lib/entropy": ["lib/core"],
    "formats": ["lib/entropy", "lib/core"],
    "vocab": ["lib/entropy", "lib/core"],
    "lib/model": ["lib/entropy", "lib/core"],
    "lib/codec": ["formats", "vocab", "lib/model", "lib/entropy", "lib/core"],
    "lib/engine": ["lib/codec", "formats", "vocab", "lib/model", "lib/entropy", "lib/core"],
    "lib/archive": ["lib/engine", "lib/codec", "formats", "vocab", "lib/model", "lib/entropy",
                    "lib/core"],
    "app": ["lib/archive", "lib/engine", "lib/codec", "formats", "vocab", "lib/model",
            "lib/entropy", "lib/core"],
    "lib/include": [],
}

# Public headers that every layer may include; the others describe what engine implements.
COMMON_HEADERS = {"lmzip/error.h", "lmzip/stream.h"}
PUBLIC_USERS = ("lib/engine", "lib/archive", "lib/include", "app")

OS_HEADER = re.compile(
    r"^(sys/|linux/|asm/|arpa/|netinet/|net/)|"
    r"^(aio|dirent|dlfcn|fcntl|fnmatch|ftw|glob|grp|netdb|poll|pty|pwd|sched|signal|spawn|syslog|"
    r"termios|ucontext|unistd|utime|wait)\.h$")
# <mutex> and <atomic> may stand anywhere: they make an object safe to share, and start nothing.
THREAD_HEADER = re.compile(
    r"^(tbb/|oneapi/|pthread\.h$|threads\.h$|semaphore\.h$)|"
    r"^(thread|condition_variable|future|semaphore|latch|barrier)$")
DECODER_FILE = re.compile(r"(^|_)(decode|decoder|decoders|decompress|reader)(_|$)")
ENCODER_FILE = re.compile(
    r"(^|_)(encode|encoder|encoders|compress|compressor|writer|trainer|train|estimate)(_|$)")
# Declares the totals that both directions report.
SHARED_HEADERS = {"lib/include/lmzip/compress.h"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
SOURCE_NAMES = (".h", ".hpp", ".c", ".cpp", ".inc")


def layer_of(path):
    folders = [f for f in LAYERS if path.startswith(f + "/")]
    return max(folders, key=len) if folders else None


def read_includes(root):
    """Maps each source file to its list of (line number, quote, included name)."""
    found = {}
    for top in ("app", "lib", "formats", "vocab"):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for name in names:
                if not name.endswith(SOURCE_NAMES):
                    continue
                full = os.path.join(folder, name)
                with open(full, encoding="utf-8") as file:
                    text = file.read()
                found[os.path.relpath(full, root)] = [
                    (text.count("\n", 0, m.start(1)) + 1, m.group(1), m.group(2))
                    for m in INCLUDE.finditer(text)]
    return found


def resolve(includer, name, files):
    """The file of ours that `name` means, or None for a header of somebody else."""
    beside = os.path.normpath(os.path.join(os.path.dirname(includer), name))
    for candidate in (beside, "lib/" + name, "lib/include/" + name, name):
        if candidate in files:
            return candidate
    return None


def check_include(path, name, target, problems):
    layer = layer_of(path)
    if target is None:
        if OS_HEADER.search(name) and not path.startswith("lib/core/io"):
            problems.append("operating system header outside lib/core/io")
        if THREAD_HEADER.search(name) and not path.startswith(("lib/engine/", "lib/core/io/")):
            problems.append("thread header outside lib/engine and lib/core/io")
        return
    wanted = layer_of(target)
    if wanted == "lib/include":
        if name not in COMMON_HEADERS and layer not in PUBLIC_USERS:
            problems.append("public header of a layer to the left")
    elif wanted is not None and wanted != layer and wanted not in LAYERS[layer]:
        problems.append(f"{layer} may not include {wanted}")


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def encoder_reached(start, graph):
    """A chain of includes from the decoder file `start` to an encoder's header, or None."""
    chains = [[start]]
    seen = {start}
    while chains:
        chain = chains.pop()
        for target in graph[chain[-1]]:
            if target in seen or target in SHARED_HEADERS:
                continue
            if ENCODER_FILE.search(stem(target)):
                return chain + [target]
            seen.add(target)
            chains.append(chain + [target])
    return None


def check(root):
    """All violations under `root`, as lines of text."""
    files = read_includes(root)
    graph = {}
    lines = []
    for path, includes in sorted(files.items()):
        if layer_of(path) is None:
            lines.append(f"{path}: belongs to no layer")
            continue
        graph[path] = []
        for line, _, name in includes:
            target = resolve(path, name, files)
            if target:
                graph[path].append(target)
            problems = []
            check_include(path, name, target, problems)
            lines += [f"{path}:{line}: {name}: {problem}" for problem in problems]
    for path in sorted(graph):
        if DECODER_FILE.search(stem(path)) and not ENCODER_FILE.search(stem(path)):
            chain = encoder_reached(path, {p: graph.get(p, []) for p in files})
            if chain:
                lines.append(f"{path}: decoder reaches an encoder: {' -> '.join(chain[1:])}")
    return lines


PLANTED = [
    ("lib/core/planted.cpp", '#include "codec/codec.h"\n'),
    ("lib/codec/planted.cpp", '#include <unistd.h>\n'),
    ("lib/codec/planted.cpp", '#include <sys/stat.h>\n'),
    ("app/planted.cpp", '  #  include <thread>\n'),
    ("formats/planted.cpp", '#include "vocab/planted.h"\n'),
    ("lib/codec/planted.cpp", '#include "lmzip/compress.h"\n'),
    ("lib/codec/planted_decoder.cpp", '#include "codec/middle.h"\n'),
    ("lib/elsewhere/planted.cpp", '#include <vector>\n'),
]
INNOCENT = {
    "lib/core/cursor.h": '#include "lmzip/error.h"\n#include <span>\n',
    "lib/core/io/posix.cpp": "#include <fcntl.h>\n#include <sys/stat.h>\n",
    "lib/include/lmzip/error.h": "",
    "lib/include/lmzip/compress.h": "",
    "lib/codec/codec.h": '#include "core/cursor.h"\n',
    "lib/codec/middle.h": '#include "codec/planted_encoder.h"\n',
    "lib/codec/planted_encoder.h": "",
    "lib/engine/run.cpp":
        '#include <thread>\n#include "lmzip/compress.h"\n#include "codec/codec.h"\n',
    "vocab/planted.h": "",
}


def self_test():
    """Plants each kind of violation in a small tree; each must be seen, and nothing else."""
    failed = 0
    for path, text in [(None, None)] + PLANTED:
        root = tempfile.mkdtemp()
        try:
            for name, content in list(INNOCENT.items()) + ([(path, text)] if path else []):
                full = os.path.join(root, name)
                os.makedirs(os.path.dirname(full), exist_ok=True)
                with open(full, "w", encoding="utf-8") as file:
                    file.write(content)
            lines = check(root)
        finally:
            shutil.rmtree(root)
        if len(lines) != (1 if path else 0):
            failed += 1
            print(f"self-test: {path} with {text!r}: got {lines}")
    return failed


def main(arguments):
    if "--self-test" in arguments:
        failed = self_test()
        print(f"layering self-test: {len(PLANTED)} planted violations, {failed} missed")
        return 1 if failed else 0
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    lines = check(arguments[0] if arguments else here)
    print("\n".join(lines + [f"layering: {len(lines)} violations"]))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
