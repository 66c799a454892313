"""Generated records: JSON documents, SQL scripts and tables of invented shops, sensors and offices."""

import json

from training_text.values import World

COLUMNS = (
    ("id", None), ("name", "{first} {last}"), ("first_name", "{first}"), ("last_name", "{last}"),
           ("email", "{mail}"),
    ("city", "{site_name}"), ("country", "{country}"), ("price", "{n:0-400}.{n:10-99}"),
           ("amount", "{big:5}"), ("quantity", "{n:1-40}"),
    ("status", "{state}"), ("created_at", "{stamp}"), ("date", "{day}"),
           ("latitude", "{n:0-69}.{n:10000-99999}"),
    ("longitude", "{of:-|}{n:0-179}.{n:10000-99999}"),
           ("temperature", "{of:-||||}{n:0-39}.{n:0-9}"), ("pressure", "{n:970-1045}.{n:0-9}"),
    ("active", "{of:true|true|false}"), ("code", "{C}{C}{n:100-999}"), ("category", "{noun}"),
           ("description", "{adj} {noun} with {adj} {noun}s"),
    ("phone", "+{n:1-99} {n:100-999} {n:1000000-9999999}"), ("url", "https://{site}{url}"),
           ("score", "0.{n:1000-9999}"), ("gender", "{of:m|f}"),
    ("age", "{n:18-90}"), ("weight_kg", "{n:40-120}.{n:0-9}"), ("uuid", "{uuid}"), ("ip", "{ip}"),
           ("population", "{big:7}"),
    ("company", "{Name} {of:Ltd|GmbH|Inc.|S.A.|AG|LLC}"),
           ("street", "{Name} {of:Street|Road|Avenue|Lane} {n:1-240}"), ("zip", "{n:10000-99999}"),
    ("duration", "{n:0-59}:{n:10-59}"), ("comment", "{of:|||{verb} the {adj} {noun}}"),
           ("ratio", "{percent}"), ("hash", "{hex:32}"),
    ("tags", "{noun},{noun}"), ("balance", "{of:-|||}{big:6}.{n:10-99}"),
           ("product", "{adj} {noun} {n:1-9}00"), ("customer_id", "{some:5}"))


CONSTRAINTS = ("", " NOT NULL", " DEFAULT NULL")

STATEMENTS = (
    ("SELECT {noun}_id, {noun}, COUNT(*) AS n FROM {noun}s WHERE {noun} {of:=|>|<|<>} {some:4} "
     "GROUP BY {noun}_id, {noun} ORDER BY n DESC LIMIT {n:5-100};"),
    ("SELECT a.{noun}, b.{noun}\n  FROM {noun}s a\n  {of:JOIN|LEFT JOIN|INNER JOIN} {noun}s b ON "
     "b.{noun}_id = a.id\n WHERE a.{noun} = '{name}'\n   AND b.{noun} IS NOT NULL;"),
    ("UPDATE {noun}s SET {noun} = {of:NULL|'{adj}'|{some:3}}, updated_at = NOW() WHERE id = "
     "{some:5};"),
    "DELETE FROM {noun}s WHERE created_at < '{n:2001-2024}-0{n:1-9}-{n:10-28}';",
    "CREATE {of:|UNIQUE }INDEX {noun}_{noun}_idx ON {noun}s ({noun}, {noun});",
    "ALTER TABLE {noun}s ADD COLUMN {noun} {of:INTEGER|TEXT|VARCHAR(40)|TIMESTAMP};",
    "GRANT {of:SELECT|INSERT, UPDATE|ALL PRIVILEGES} ON {noun}s TO {user};",
    "INSERT INTO {noun}s ({noun}, {noun}, {noun}) VALUES ({some:5}, '{adj} {noun}', '{name}');",
    "-- {verb} {adj} {noun}s",
    ("SELECT * FROM {noun}s WHERE {noun} LIKE '%{name}%' OR {noun} IN ({some:3}, {some:3}, "
     "{some:3});"),
    "BEGIN;",
    "COMMIT;",
    ("WITH {noun.t} AS (SELECT {noun}, SUM({noun}) AS total FROM {noun}s GROUP BY 1)\nSELECT * "
     "FROM {noun.t} WHERE total > {some:4};"),
    "CREATE VIEW {adj}_{noun}s AS SELECT * FROM {noun}s WHERE {noun} = '{adj}';",
    "EXPLAIN SELECT {noun} FROM {noun}s WHERE {noun}_id = {some:4};",
)


class Table:
    """The columns of a table and its rows, whose ids and times grow."""

    def __init__(self, rng):
        self.world = World(rng)
        self.rng = rng
        self.world.pace *= 100
        self.name = self.world.make_noun() + "s"
        count = rng.randrange(3, 14)
        chosen = sorted(rng.randrange(len(COLUMNS)) for _ in range(count))
        self.columns = [COLUMNS[i] for i in dict.fromkeys([0] * (rng.random() < 0.7) + chosen)]
        if rng.random() < 0.5:
            self.columns = self.columns[:1] + sorted(self.columns[1:], key=lambda _: rng.random())
        self.places = [self.world.make_name().capitalize() for _ in range(rng.randrange(3, 60))]
        self.countries = rng.choice((("DE", "FR", "US", "JP", "BR", "IN"),
                                     ("Germany", "France", "United States", "Japan", "Brazil",
                                      "India", "Poland")))
        self.states = [self.world.make_past() for _ in range(rng.randrange(2, 6))]
        self.stamp = rng.choice(("%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%d.%m.%Y %H:%M",
                                 "%m/%d/%Y"))
        self.number = rng.randrange(1, 10 ** rng.randrange(1, 6))

    def row(self):
        """The values of the next row, as text."""
        self.world.tick()
        self.number += 1 if self.rng.random() < 0.9 else self.rng.randrange(1, 9)
        fixed = {"{site_name}": self.rng.choice(self.places),
                 "{country}": self.rng.choice(self.countries),
                 "{state}": self.rng.choice(self.states),
                 "{stamp}": self.world.time(self.stamp), "{day}": self.world.time("%Y-%m-%d")}
        return [str(self.number) if template is None
                else self.world.fill(fixed.get(template, template)) for _, template in self.columns]


def typed(text):
    """The value as JSON and SQL know it."""
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        return text or None


def delimited(rng, count):
    """CSV, TSV and other separators, quoted where it must be."""
    table = Table(rng)
    separator = rng.choice((",", ",", ",", "\t", "\t", ";", "|"))

    def quoted(value):
        return '"' + value.replace('"', '""') + '"' if separator in value or '"' in value else value
    lines = [separator.join(name for name, _ in table.columns)] if rng.random() < 0.85 else []
    lines += [separator.join(map(quoted, table.row())) for _ in range(count)]
    return "\n".join(lines) + "\n"


def aligned(rng, count):
    """Columns padded with spaces, numbers to the right."""
    table = Table(rng)
    rows = [[name for name, _ in table.columns]] + [table.row() for _ in range(count // 2)]
    widths = [max(map(len, column)) for column in zip(*rows)]
    frame = rng.choice(("  ", " | ", " "))
    return "\n".join(frame.join(value.rjust(width) if value[:1].isdigit() else value.ljust(width)
                                for value, width in zip(row, widths)).rstrip()
                     for row in rows) + "\n"


def series(rng, count):
    """Measurements over time that wander."""
    world = World(rng)
    separator = rng.choice((",", "\t", " ", ";"))
    form = rng.choice(("%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ", "%s", "%Y-%m-%d"))
    values = [rng.uniform(-50, 1000) for _ in range(rng.randrange(1, 9))]
    digits = rng.randrange(6)
    lines = [separator.join(["time"] + [world.make_noun() for _ in values])]
    for _ in range(count):
        world.tick()
        values = [value + rng.gauss(0, 1 + abs(value) / 200) for value in values]
        lines.append(separator.join([world.time(form)] + [f"{value:.{digits}f}"
                                                          for value in values]))
    return "\n".join(lines) + "\n"


def nested(rng, table, depth):
    """An object of a row, some of whose values are objects and lists."""
    record = {}
    for (name, _), value in zip(table.columns, table.row()):
        record[name] = typed(value)
    if depth and rng.random() < 0.5:
        record[table.world.make_noun()] = nested(rng, table, depth - 1)
    if rng.random() < 0.3:
        record[table.world.make_noun() + "s"] = [table.world.make_noun()
                                                 for _ in range(rng.randrange(4))]
    return record


def documents(rng, count):
    """A list of objects, indented or not."""
    table = Table(rng)
    records = [nested(rng, table, rng.randrange(3)) for _ in range(count // 3)]
    whole = {"count": len(records), "next": None,
             table.name: records} if rng.random() < 0.5 else records
    indent = rng.choice((None, 1, 2, 2, 4))
    return json.dumps(whole, indent=indent, separators=rng.choice(((",", ":"), (", ", ": ")))
                      if indent is None else (",", ": ")) + "\n"


def object_lines(rng, count):
    """An object a line."""
    table = Table(rng)
    depth = rng.randrange(3)
    separators = rng.choice(((",", ":"), (", ", ": ")))
    return "\n".join(json.dumps(nested(rng, table, depth), separators=separators)
                     for _ in range(count)) + "\n"


def literal(text):
    value = typed(text)
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return text if not isinstance(value, bool) else str(int(value))


def sql_type(text, rng):
    value = typed(text)
    if isinstance(value, bool):
        return rng.choice(("BOOLEAN", "TINYINT(1)"))
    if isinstance(value, int):
        return rng.choice(("INTEGER", "INT(11)", "BIGINT"))
    if isinstance(value, float):
        return rng.choice(("NUMERIC(10,2)", "DOUBLE PRECISION", "DECIMAL(12,4)"))
    return rng.choice(("TEXT", "VARCHAR(255)", "varchar(64)"))


def dump(rng, count):
    """Tables with their rows, as a database writes them out."""
    quote = rng.choice(("`", '"', ""))
    style = rng.randrange(3)
    lines = []
    for _ in range(rng.randrange(1, 5)):
        table = Table(rng)
        name = quote + table.name + quote
        names = [quote + column + quote for column, _ in table.columns]
        example = table.row()
        lines += [f"DROP TABLE IF EXISTS {name};", f"CREATE TABLE {name} ("]
        for column, value in zip(names, example):
            lines.append(f"  {column} {sql_type(value, rng)}{rng.choice(CONSTRAINTS)},")
        lines += [f"  PRIMARY KEY ({names[0]})", ");", ""]
        rows = [table.row() for _ in range(count // 3)]
        if style == 0:
            head = f"INSERT INTO {name} ({', '.join(names)}) VALUES"
            lines += [f"{head} ({', '.join(map(literal, row))});" for row in rows]
        elif style == 1:
            values = ",".join(f"({','.join(map(literal, row))})" for row in rows)
            lines.append(f"INSERT INTO {name} VALUES {values};")
        else:
            lines.append(f"COPY {name} ({', '.join(names)}) FROM stdin;")
            lines += ["\t".join(value or "\\N" for value in row) for row in rows]
            lines.append("\\.")
        lines.append("")
    return "\n".join(lines) + "\n"


def queries(rng, count):
    """Statements that an application or a person might send."""
    world = World(rng)
    return "\n".join(world.fill(rng.choice(STATEMENTS)) for _ in range(count // 2)) + "\n"


TABLE_FAMILIES = [delimited, delimited, aligned, series, delimited]
JSON_FAMILIES = [documents, object_lines]
SQL_FAMILIES = [dump, dump, queries]
