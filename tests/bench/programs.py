"""The programs that are measured, as shell commands."""

import sys


class program:
    """A compressor: command lines in which {plain}, {packed} and {out} stand for files."""

    def __init__(self, name, pack, unpack, slow=False):
        self.name, self.pack, self.unpack, self.slow = name, pack, unpack, slow
        self.is_lmzip = name.startswith("lmzip ")


def lmzip_level(lmzip, level):
    return program(f"lmzip -{level}", f"{lmzip} -{level} -T1 -c {{plain}} >{{packed}}",
                   f"{lmzip} -d -T1 -c {{packed}} >{{out}}")


def zpaq(level, slow):
    # zpaq adds to an archive and restores names; one file makes an archive of one file.
    return program(f"zpaq -m{level}",
                   f"zpaq a {{packed}}.zpaq {{plain}} -m{level} -t1 >{{packed}}.log 2>&1 && "
                   "mv {packed}.zpaq {packed}",
                   "mv {packed} {packed}.zpaq && zpaq x {packed}.zpaq {plain} -to {out} -t1 "
                   ">{packed}.log 2>&1 && mv {packed}.zpaq {packed}", slow)


def built_in(lmzip, levels):
    found = [lmzip_level(lmzip, level) for level in levels]
    found += [program(f"zstd -{n}", f"zstd -q -{n} --single-thread -c {{plain}} >{{packed}}",
                      "zstd -q -d -c {packed} >{out}") for n in (1, 3, 9, 19)]
    found += [
        program("zstd --ultra -22 --long=27",
                "zstd -q --ultra -22 --long=27 --single-thread -c {plain} >{packed}",
                "zstd -q -d --long=27 -c {packed} >{out}"),
        program("xz -9e", "xz -9e -T1 -c {plain} >{packed}", "xz -d -T1 -c {packed} >{out}"),
        program("brotli -q11 --lgwin=24", "brotli -q 11 --lgwin=24 -c {plain} >{packed}",
                "brotli -d -c {packed} >{out}"),
        program("bzip3 -b 16", "bzip3 -e -b 16 -c {plain} >{packed}",
                "bzip3 -d -c {packed} >{out}"),
        program("7zz PPMd -mx=9", "7zz a -t7z -m0=PPMd -mx=9 -mmt=1 {packed}.7z {plain} "
                ">{packed}.log && mv {packed}.7z {packed}",
                "7zz e -so -mmt=1 {packed} >{out} 2>{packed}.log"),
        zpaq(3, False),
        zpaq(5, True),
    ]
    return found


def from_command_line(text):
    """NAME=PACK;UNPACK with {plain} {packed} in the one, {packed} {out} in the other."""
    name, equals, commands = text.partition("=")
    pack, semicolon, unpack = commands.partition(";")
    whole = (name and equals and semicolon and "{plain}" in pack and "{packed}" in pack
             and "{packed}" in unpack and "{out}" in unpack)
    if not whole:
        sys.exit(f"compare.py: --program '{text}': not "
                 "'NAME=COMMAND WITH {plain} {packed};COMMAND WITH {packed} {out}'")
    return program(name, pack, unpack)
