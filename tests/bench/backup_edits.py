#!/usr/bin/env python3
"""backup_edits.py OUT: adds to the trees OUT/v1, v2 and v3 what a person changes between two backups.

Logs that grow, an SQLite database with updated, deleted and inserted rows, a folder of sources of
which some files are edited, moved or deleted, a renamed and a copied folder. The same trees give the
same result. Sets times: a file has that of the snapshot in which its bytes changed last.
"""

import hashlib
import os
import random
import shutil
import sqlite3
import sys

SEED = "lmzip-backup-1"
FIRST_DAY = 1704067200  # 2024-01-01
WEEK = 7 * 86400
LOG_LINES = {1: 30000, 2: 39000, 3: 50000}
MESSAGES = [
    "session opened for user {u}", "session closed for user {u}",
    "Accepted publickey for {u} from 10.{a}.{b}.{c} port {p}",
    "Failed password for {u} from 10.{a}.{b}.{c} port {p}",
    "GET /api/items/{p} 200 {q}ms", "GET /static/app.{a}.js 304 {b}ms",
    "POST /api/login 401 {b}ms", "job {p} finished in {q}.{a:03d} s",
    "disk sd{d} at {a}% of {q} GB", "cache miss key=item:{p}:{b}"]


def number_of(*words):
    """A number that depends on the words alone."""
    digest = hashlib.sha256("|".join((SEED,) + words).encode()).digest()
    return int.from_bytes(digest[:8], "big")


def files_below(root):
    """(path, path from root) of all regular files, in a fixed order."""
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                yield path, os.path.relpath(path, root)


def log_lines(seed, count):
    source = random.Random(number_of("log", seed))
    time = FIRST_DAY
    for _ in range(count):
        time += source.randrange(0, 90)
        message = MESSAGES[min(int(source.expovariate(0.5)), len(MESSAGES) - 1)].format(
            u=source.choice("alice bob carol dave root backup".split()), a=source.randrange(256),
            b=source.randrange(256), c=source.randrange(256), p=source.randrange(1024, 65536),
            q=source.randrange(1, 4000), d=source.choice("abcd"))
        yield "%d host%d %s[%d]: %s\n" % (
            time, source.randrange(3), source.choice(["sshd", "web", "cron", "worker"]),
            source.randrange(300, 9000), message)


def write_logs(home, version):
    os.makedirs(f"{home}/logs")
    for name in ("auth", "web", "worker"):
        with open(f"{home}/logs/{name}.log", "w", encoding="ascii") as file:
            file.writelines(log_lines(name, LOG_LINES[version]))


def write_database(home, version, words):
    database = sqlite3.connect(f"{home}/items.sqlite")
    source = random.Random(number_of("db"))

    def insert(number, price):
        database.execute("insert into item values(?,?,?,?)",
                         (number, " ".join(source.choices(words, k=3)), price(),
                          " ".join(source.choices(words, k=12))))

    database.execute("create table item(id integer primary key, name text, price real, note text)")
    for number in range(40000):
        insert(number, lambda: source.randrange(100, 99999) / 100)
    for change in range(2, version + 1):
        source = random.Random(number_of("db", str(change)))
        for _ in range(600):
            database.execute("update item set price=?, note=? where id=?",
                             (source.randrange(100, 99999) / 100,
                              " ".join(source.choices(words, k=12)), source.randrange(40000)))
        for _ in range(200):
            database.execute("delete from item where id=?", (source.randrange(40000),))
        for i in range(800):
            insert(100000 * change + i, lambda i=i: i)
    database.commit()
    database.close()


def edit_lines(data, change, name):
    lines = data.split(b"\n")
    source = random.Random(number_of("lines", str(change), name))
    for _ in range(1 + source.randrange(6)):
        i = source.randrange(len(lines))
        if source.random() < .5:
            lines.insert(i, b"/* note %d: check %d */" % (change, source.randrange(10000)))
        else:
            lines[i] = lines[i].replace(b"int", b"long")
    return b"\n".join(lines)


def write_work(sources, work, version):
    """A quarter of the sources, with all the changes up to this version."""
    for path, name in files_below(sources):
        if number_of("work", name) % 4:
            continue
        with open(path, "rb") as file:
            data = file.read()
        target = name
        for change in range(2, version + 1):
            dice = number_of("edit", str(change), name) % 100
            if dice < 3:
                target = None
                break
            if dice < 8:
                target = f"moved{change}/" + os.path.basename(target)
            elif dice < 20:
                data = edit_lines(data, change, name)
        if target:
            os.makedirs(os.path.dirname(f"{work}/{target}"), exist_ok=True)
            with open(f"{work}/{target}", "wb") as file:
                file.write(data)


def edit_snapshot(out, version):
    home = f"{out}/v{version}/home"
    write_logs(home, version)
    with open(f"{out}/v{version}/src/linux-headers/Makefile", encoding="utf-8") as file:
        words = [word for word in file.read().split() if word.isalpha()]
    write_database(home, version, words)
    write_work(f"{out}/v1/src/linux-headers/include/linux", f"{home}/work", version)
    if version > 1:
        shutil.move(f"{home}/docs/usr/share/icons", f"{home}/pictures")
    if version == 3:
        shutil.copytree(f"{home}/work", f"{home}/work-copy", symlinks=True)


def set_times(out):
    changed = {}  # path: (hash, time)
    for version in (1, 2, 3):
        root = f"{out}/v{version}"
        for path, name in files_below(root):
            with open(path, "rb") as file:
                digest = hashlib.sha256(file.read()).digest()
            if changed.get(name, (None,))[0] != digest:
                changed[name] = (digest, FIRST_DAY + (version - 1) * WEEK)
            os.utime(path, (changed[name][1],) * 2)
        for folder, folders, names in os.walk(root, topdown=False):
            for name in folders + names:
                if os.path.islink(os.path.join(folder, name)):
                    os.utime(os.path.join(folder, name), (FIRST_DAY,) * 2, follow_symlinks=False)
            os.utime(folder, (FIRST_DAY,) * 2)


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 1
    for version in (1, 2, 3):
        edit_snapshot(arguments[0], version)
    set_times(arguments[0])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
