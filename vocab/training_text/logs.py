"""Generated logs of servers, applications and devices. The messages are in log_templates.py."""

import json
import re

from training_text import log_templates as templates
from training_text.values import World

WORD = re.compile(r"\{(noun|Noun|adj|verb|Verb|past|Past|Gerund|camel|class)\}")
MESSAGE = "\1"  # stands for a message that is filled already
LEVELS = ("INFO", "INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR")


class Episodes:
    """Lines of a log: a few of the templates, some often; the lines of one event stay together."""

    def __init__(self, world, source, most):
        rng = world.rng
        self.world = world
        chosen = [source[rng.randrange(len(source))] for _ in range(rng.randrange(2, most))]
        self.episodes = [(episode,) if isinstance(episode, str) else episode for episode in chosen]
        self.skew = 0.4 + rng.random()

    def lines(self, count):
        """Yields about `count` messages; the time moves on between them."""
        rng = self.world.rng
        while count > 0:
            episode = self.episodes[int(len(self.episodes) * rng.random() ** (1 + self.skew))]
            bound = {}
            for template in episode:
                self.world.tick()
                yield self.world.fill(template, bound)
            count -= len(episode)
            if rng.random() < 0.1:  # the same event again and again
                for _ in range(rng.randrange(1, 6)):
                    self.world.tick()
                    yield self.world.fill(episode[0])
                    count -= 1


def joined(lines):
    return "\n".join(lines) + "\n"


def with_words(world, template, most=0):
    """The template with its words filled in, the values still open."""
    return WORD.sub(lambda match: world.value(match.group(1), None), template, most)


def invented(world, most=40):
    """Templates of a program that nobody has: sentences of verbs, nouns and values."""
    values = ("{noun}={some:4}", "{noun}={id}", "'{path}'", "{host}:{port}", "{n:1-100}%",
              "{big:6} ms", "id {some:5}",
              "{key}", "[{noun}: {some:3}]", "({size})", "{user}", "{ip}", "{noun}_{n:1-40}",
              "0x{hex:8}", "{noun}: {big:5}", "{hex:12}")
    shapes = ("{Gerund} {adj} {noun} V", "Failed to {verb} {noun} V: {noun} is {adj}",
              "{Noun} V {past} in {n:1-4000} ms",
              "{camel} V V", "{Noun} {noun} is {adj}, V", "{Verb} {noun} for V, V",
              "No {adj} {noun} for V", "{camel}: V",
              "Got {adj} {noun} from {host}, V", "{Noun} V -> V",
              "{n:1-50} {noun}s {past}, {n:0-9} {adj}", "retry {n:1-5} of V",
              "V: {noun} {verb} done", "{Past} V", "{class}.{camel}() V", "{adj} {noun}: V, V, V",
              "on{Noun}{Verb} V V")
    rng = world.rng
    made = []
    for _ in range(rng.randrange(8, most)):
        shape = rng.choice(shapes)
        # The words of a message are fixed, only its values change.
        shape = with_words(world, shape)
        made.append(re.sub(r"\bV\b", lambda _: with_words(world, rng.choice(values), 1), shape))
    return made


def syslog(rng, count):
    world = World(rng)
    lines = []
    form = rng.choice(("%b %e %H:%M:%S", "%b %e %H:%M:%S", "%Y-%m-%dT%H:%M:%S.%f+0{zone}:00"))
    form = form.replace("{zone}", str(rng.randrange(4)))
    one_host = rng.random() < 0.6
    host = world.make_host()
    for message in Episodes(world, templates.SYSLOG, 25).lines(count):
        lines.append(f"{world.time(form)} {host if one_host else world.make_host()} {message}")
    return joined(lines)


def auth(rng, count):
    world = World(rng)
    world.pace = min(world.pace, 30)
    host = world.make_host()
    return joined(f"{world.time('%b %e %H:%M:%S')} {host} {message}"
                  for message in Episodes(world, templates.AUTH, 14).lines(count))


def web_access(rng, count):
    world = World(rng)
    zone = rng.choice(("+0000", "-0700", "+0200", "+0900", "-0500", "+0100"))
    form = rng.choice(('{ip.a} - - [%s] "{of:GET|GET|GET|GET|POST|HEAD} {url} HTTP/1.1" {code} '
                       '{big:6} "{ref}" "{agent.a}"',
                       '{ip.a} - {of:-|-|-|{user}} [%s] "GET {url} HTTP/1.{of:0|1}" {code} {big:6}',
                       '{site}:80 {ip.a} - - [%s] "GET {url} HTTP/1.1" {code} {big:5} "-" '
                       '"{agent.a}"',
                       '{ip.a} - - [%s] "{of:GET|GET|POST|PUT|DELETE} {url} HTTP/{of:1.1|2.0}" '
                       '{code} {big:5} "{ref}" "{agent.a}" '
                       'rt=0.{n:100-999} uct="0.{n:100-999}" uht="0.{n:100-999}" '
                       'urt="0.{n:100-999}"'))
    lines = []
    while len(lines) < count:
        bound = {}
        for _ in range(1 + int(rng.expovariate(0.3))):  # one visitor, some requests
            world.tick()
            referrer = rng.choice(("-", "-", "http://{site}/", "https://www.{domain}{url}",
                                   "https://www.google.com/"))
            line = form.replace("%s",
                                world.time("%d/%b/%Y:%H:%M:%S ") + zone).replace("{ref}", referrer)
            for name in [name for name in bound if name[0] not in ("ip", "agent")]:
                del bound[name]
            lines.append(world.fill(line, bound))
    return joined(lines)


def web_error(rng, count):
    world = World(rng)
    is_nginx = rng.random() < 0.5
    source = templates.NGINX if is_nginx else templates.APACHE
    form = "%Y/%m/%d %H:%M:%S" if is_nginx else "[%a %b %d %H:%M:%S" + rng.choice((".%f", "")) + " %Y]"
    return joined(f"{world.time(form)} {message}"
                  for message in Episodes(world, source, 12).lines(count))


def kernel(rng, count):
    world = World(rng)
    world.pace = 10 ** (rng.random() * 4 - 3)
    is_plain = rng.random() < 0.6
    host = world.make_host()
    lines = []
    for message in Episodes(world, templates.KERNEL, 50).lines(count):
        seconds = f"[{(world.now - world.start).total_seconds():12.6f}]"
        lines.append(f"{seconds} {message}" if is_plain
                     else f"{world.time('%b %e %H:%M:%S')} {host} kernel: {seconds} {message}")
    return joined(lines)


def java(rng, count):
    """log4j and logback in several layouts, now and then with a stack trace."""
    world = World(rng)
    layout = rng.choice(("%Y-%m-%d %H:%M:%S,%3f {l} {package}.{class}: {m}",
                         "%Y-%m-%d %H:%M:%S,%3f - {L} [{thread}:{class}@{n:20-900}] - {m}",
                         "%y/%m/%d %H:%M:%S {l} {class}: {m}",
                         "%H:%M:%S.%3f [{thread}] {L} {package}.{class} - {m}",
                         "[%Y-%m-%dT%H:%M:%S,%3f][{L}][{c}] [{host}] {m}",
                         "[%Y-%m-%d %H:%M:%S,%3f] {l} {m} ({package}.{class})",
                         "%Y-%m-%d %H:%M:%S.%3f  {L} {pid} --- [{thread}] {package}.{class} : {m}",
                         "%b %d, %Y %I:%M:%S %p {package}.{class} {camel}\n{l}: {m}",
                         "%Y-%m-%d %H:%M:%S,%3f {l} [{thread}] {package}.{class}: {m}"))
    source = invented(world) + templates.DISTRIBUTED if rng.random() < 0.7 else invented(world)
    lines = []
    for message in Episodes(world, source, 30).lines(count):
        level = rng.choice(LEVELS)
        logger = world.value("noun", None)[:1] + ".{class}"
        head = layout.replace("{L}", f"{level:5}").replace("{l}", level).replace("{c}", logger)
        lines.append(world.fill(world.time(head).replace("{m}", MESSAGE)).replace(MESSAGE, message))
        if level == "ERROR" and rng.random() < 0.3:
            lines.append(world.fill(rng.choice(templates.EXCEPTIONS)))
            lines += [world.fill("\tat {package}.{class}.{camel}({class}.java:{n:20-1400})")
                      for _ in range(rng.randrange(3, 18))]
    return joined(lines)


def cloud(rng, count):
    """Services of a cloud, in Python: request ids, instances, API calls."""
    world = World(rng)
    services = ["{of:compute|network|image|volume|identity}.{of:api|manager|scheduler|agent|rpc|wsgi}.{noun}" for _ in range(6)]
    services = [world.fill(service) for service in services]
    prefix = rng.choice(("", "", "{host} "))
    lines = []
    for message in Episodes(world, templates.CLOUD + invented(world, 12), 18).lines(count):
        context = rng.choice(("[-]", "[req-{id} {some:9} {some:9} - - -]",
                              "[req-{uuid} {user} {noun} - default default]"))
        level = rng.choice(("INFO", "INFO", "INFO", "DEBUG", "WARNING", "ERROR"))
        lines.append(world.fill(f"{prefix}{world.time('%Y-%m-%d %H:%M:%S.%3f')} {{pid}} {level} "
                                f"{rng.choice(services)} {context} ") + message)
    return joined(lines)


def json_lines(rng, count):
    """Structured logs: an object a line, the keys of one program."""
    world = World(rng)
    keys = rng.choice((("time", "level", "msg"), ("@timestamp", "log.level", "message"),
                       ("ts", "level", "msg"),
                       ("timestamp", "severity", "textPayload"), ("t", "lvl", "event"),
                       ("Timestamp", "Level", "MessageTemplate")))
    form = rng.choice(("%Y-%m-%dT%H:%M:%S.%3fZ", "%Y-%m-%d %H:%M:%S", "%s",
                       "%Y-%m-%dT%H:%M:%S+00:00", "%d/%b/%Y:%H:%M:%S +0000"))
    fields = [rng.choice(templates.JSON_FIELDS)
              for _ in range(rng.randrange(2, 12))]
    fields = list(dict(fields).items())
    separators = rng.choice(((",", ":"), (", ", ": ")))
    lines = []
    for message in Episodes(world, invented(world, 25), 16).lines(count):
        when = world.time(form)
        entry = {keys[0]: int(when) if form == "%s" else when, keys[1]: rng.choice(LEVELS).lower(),
                 keys[2]: message}
        for name, template in fields:
            value = world.fill(template)
            entry[name] = int(value) if value.isdigit() and not value.startswith("0") else value
        lines.append(json.dumps(entry, separators=separators, ensure_ascii=False))
    return joined(lines)


def database(rng, count):
    world = World(rng)
    style = rng.randrange(4)
    source = (templates.POSTGRES, templates.MYSQL, templates.REDIS, templates.POSTGRES)[style]
    head = ("%Y-%m-%d %H:%M:%S.%3f UTC [{pid}] {user}@{noun} ", "%Y-%m-%dT%H:%M:%S.%fZ {n:0-900} ",
            "{pid}:M %d %b %Y %H:%M:%S.%3f ",
            "%Y-%m-%d %H:%M:%S UTC:{ip}({port}):{user}@{noun}:[{pid}]:")[style]
    return joined(world.fill(world.time(head)) + message
                  for message in Episodes(world, source, 20).lines(count))


def windows(rng, count):
    """Servicing logs and exported event logs."""
    world = World(rng)
    style = rng.randrange(3)
    head = ("%Y-%m-%d %H:%M:%S, {of:Info|Info|Info|Info|Error|Warning}\t{noun3}\t[{hex:4}] ",
            "{of:Information|Information|Information|Warning|Error}\t%m/%d/%Y %I:%M:%S "
            "%p\t{source}\t{some:4}\tNone\t",
            "%m/%d/%Y "
            "%H:%M:%S,{of:Application|System|Security},{host},{source},{some:4},{of:Information|Warning|Error|Audit Success|Audit Failure},")[style]
    sources = [world.fill(source) for source in templates.WINDOWS_SOURCES]
    component = world.fill(rng.choice(("CBS", "CSI", "DISM", "MSI", "{C}{C}{C}")))
    lines = []
    for message in Episodes(world, templates.WINDOWS, 24).lines(count):
        stamp = world.time(head).replace("{source}",
                                         rng.choice(sources[:6])).replace("{noun3}", component)
        lines.append(world.fill(stamp) + message)
    return joined(lines)


def supercomputer(rng, count):
    """Events of the reliability services of large machines, and their system logs."""
    world = World(rng)
    place = rng.choice(("x{n:0-40}c{n:0-7}s{n:0-15}", "c{n:0-20}-{n:0-3}n{n:0-31}",
                        "rack{n:1-40}/shelf{n:1-6}/blade{n:1-16}", "node{n:1-2048}",
                        "{C}{n:10-99}-{C}{n:0-9}-{n:0-31}"))
    form = rng.choice(("%s {p} {f} {l} ", "%Y-%m-%dT%H:%M:%S.%f {p} {f} {l} ",
                       "{some:6}|%Y-%m-%d %H:%M:%S|{l}|{f}|{p}|",
                       "[%d/%m/%y %H:%M:%S] {l} {p} {f}: ",
                       "%Y%m%d%H%M%S {l} {f} at {p}: ", "%b %e %H:%M:%S {p} {f}[{pid}]: <{l}> "))
    facilities = rng.choice((("memory", "fabric", "power", "cooling", "boot", "job"),
                             ("HW", "SW", "NET", "FS", "ENV"),
                             ("mced", "linkd", "envd", "bootd", "schedd", "fsd"),
                             ("Memory_Controller", "Router", "Power_Supply", "Service_Node",
                              "Scheduler")))
    lines = []
    for message in Episodes(world, templates.RAS, 20).lines(count):
        where = world.pick("place", 40, lambda: world.fill(place))
        head = world.time(form).replace("{p}", where)
        head = head.replace("{f}",
                            rng.choice(facilities)).replace("{l}", rng.choice(("INFO", "INFO", "INFO", "FATAL", "WARNING", "ERROR", "SEVERE")))
        lines.append(world.fill(head) + message)
    return joined(lines)


def device(rng, count):
    """Phones and desktops: many components that talk much."""
    world = World(rng)
    world.pace = min(world.pace, 0.3)
    form = rng.choice(("%m-%d %H:%M:%S.%3f  {pid}  {pid} {of:D|D|I|V|W|E} {class}: ",
                       "%H:%M:%S.%3f {name}/{Noun}({pid}): ",
                       "%b %e %H:%M:%S {host} {Name}[{pid}]: ",
                       "%Y-%m-%d %H:%M:%S.%f+0100 0x{hex:5}    {of:Default|Info|Error|Debug}  0x0 "
                       "  {pid}    0    {Name}: [{package}] ",
                       "%Y-%m-%d %H:%M:%S [{pid}] {of:DBG|INF|WRN|ERR} {Noun} "))
    return joined(world.fill(world.time(form)) + message
                  for message in Episodes(world, invented(world, 60) + templates.DEVICE,
                                          50).lines(count))


def key_values(rng, count):
    """key=value pairs: logfmt, audit, firewalls."""
    world = World(rng)
    style = rng.randrange(3)
    if style == 0:
        return joined(world.fill("time=" + world.time("%Y-%m-%dT%H:%M:%S.%3fZ") + f" level={rng.choice(LEVELS).lower()} ") + message
                      for message in Episodes(world, templates.LOGFMT, 14).lines(count))
    if style == 1:
        return joined(world.fill("type={of:SYSCALL|USER_AUTH|CRED_ACQ|AVC|PATH|CWD|USER_CMD} "
                                 "msg=audit(" + world.time("%s.%3f") + ":{some:6}): ") + message
                      for message in Episodes(world, templates.AUDIT, 10).lines(count))
    host = world.make_host()
    return joined(f"{world.time('%b %e %H:%M:%S')} {host} " + message
                  for message in Episodes(world, templates.FIREWALL, 6).lines(count))


def containers(rng, count):
    """What runs in a cluster, and what its builds print."""
    world = World(rng)
    form = rng.choice(("{of:I|I|I|W|E}%m%d %H:%M:%S.%f {some:5} {name}.go:{n:20-1900}] ",
                       "%Y-%m-%dT%H:%M:%S.%fZ ", "%Y/%m/%d %H:%M:%S ",
                       "[%Y-%m-%dT%H:%M:%S.%3fZ] ", ""))
    return joined(world.fill(world.time(form)) + message
                  for message in Episodes(world, templates.CONTAINERS + invented(world, 10),
                                          16).lines(count))


FAMILIES = [syslog, java, web_access, auth, cloud, json_lines, kernel, windows, database,
            supercomputer,
            device, java, web_error, key_values, containers, syslog, web_access, json_lines]
