"""Random values that look like those in logs and tables, and templates that are filled with them."""

import re
from datetime import datetime, timedelta

SYLLABLES = ("al an ar bel bo bra ca cor da del den do el en fa fen gar gil ha hel in ja ka ken "
             "la len "
             "lo lu ma mar mi mon na nel no ol or pa per qui ra ri ro sa sel si sol ta tel ti tor "
             "ul va "
             "ver vi wen wil xan yor za zen").split()
FIRST_NAMES = ("anna bob carlos diana emil fatima george hannah ivan julia karl laura miguel nina "
               "oscar "
               "petra quentin rosa stefan tanja ulrich vera walter xenia yusuf zoe james mary "
               "john wei "
               "li chen yuki kenji priya raj amit olga dmitri pavel marie pierre luc sofia marco "
               "giulia "
               "lars ingrid sven aisha omar kim min jun thomas susan linda david").split()
LAST_NAMES = ("smith mueller garcia rossi novak kowalski ivanov petrov tanaka suzuki wang zhang "
              "li kim "
              "park singh patel khan silva santos lopez martin bernard dubois schmidt weber "
              "fischer "
              "johnson brown davis wilson moore taylor clark lewis young hall allen king wright "
              "hill "
              "nielsen hansen berg larsson virtanen horvat nagy popescu papadakis yilmaz haddad").split()
NOUNS = ("account address agent alert archive backup batch block bucket buffer bundle cache "
         "catalog "
         "channel client cluster config connection consumer contract cursor customer dataset "
         "device "
         "directory disk document domain driver endpoint event export feature feed field file "
         "filter "
         "frame gateway group handler image import index input instance inventory invoice item "
         "job key "
         "label lease ledger license link listener lock log mailbox manifest member message metric "
         "migration mirror module monitor network node notification object offset order package "
         "page "
         "partition patch payload payment peer permission pipeline plugin policy pool port printer "
         "process product profile project proxy query queue quota record region registry replica "
         "report "
         "request resource response role route rule schedule schema segment sensor server service "
         "session shard shipment signal snapshot socket source stage stream subscription table tag "
         "target task template tenant thread ticket timer token topic transaction transfer trigger "
         "tunnel update upload user value version view volume warehouse watcher worker workflow "
         "zone").split()
VERBS = ("accept acquire add allocate append apply archive attach authorize balance build cancel "
         "check "
         "clean close collect commit compact compile complete compress compute connect copy create "
         "decode delete deliver deploy detach discover dispatch download drain drop enable encode "
         "evict "
         "execute expire export fetch filter finish flush forward generate import index initialize "
         "insert install invalidate join load lock map merge migrate monitor mount move notify "
         "open "
         "parse persist poll prepare process publish purge push query queue read rebuild receive "
         "recover refresh register reject release reload remove rename render replicate reset "
         "resolve "
         "restart restore resume retry rotate route save scan schedule send serialize shut sign "
         "split "
         "start stop store submit sync terminate transform unlock update upgrade upload validate "
         "verify "
         "wait write").split()
ADJECTIVES = ("active additional available backup binary cached central cold current daily default "
              "dirty distributed duplicate empty encrypted expired external final global healthy "
              "hidden "
              "idle incomplete incremental initial inner internal invalid large legacy local main "
              "managed manual missing new nightly old online orphaned outdated parallel partial "
              "pending "
              "primary private public random raw readonly recent redundant remote secondary secure "
              "shared slow stale standby static temporary unknown unused valid virtual weekly").split()
TOP_LEVEL = "com org net de fr io edu jp ru cn co.uk pl es it br in gov example local internal lan".split()
EXTENSIONS = "log txt conf json xml html png jpg tmp dat gz zip csv so py jar db pdf js css php".split()
AGENTS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/{n:60-124}.0.{n:0-6000}.{n:0-200} Safari/537.36",
    "Mozilla/5.0 (X11; Linux x86_64; rv:{n:50-124}.0) Gecko/20100101 Firefox/{n:50-124}.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_{n:9-15}_{n:0-7}) AppleWebKit/605.1.15 (KHTML, "
    "like Gecko) Version/{n:9-17}.{n:0-6} Safari/605.1.15",
    "Mozilla/5.0 (iPhone; CPU iPhone OS {n:9-17}_{n:0-6} like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/{n:9-17}.0 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Linux; Android {n:6-14}; SM-{C}{n:100-999}F) AppleWebKit/537.36 (KHTML, like "
    "Gecko) Chrome/{n:60-124}.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (compatible; {Name}bot/{n:1-3}.{n:0-9}; +http://www.{name}.com/bot.html)",
    "Mozilla/4.0 (compatible; MSIE {n:6-8}.0; Windows NT 5.{n:0-2}; SV1; .NET CLR 1.1.4322)",
    "Mozilla/5.0 (Windows NT 6.1; WOW64; rv:{n:20-78}.0) Gecko/20100101 Firefox/{n:20-78}.0",
    "curl/7.{n:19-88}.{n:0-1}", "Wget/1.{n:10-21}", "python-requests/2.{n:2-31}.{n:0-1}",
          "Go-http-client/1.1",
    "{Name}/{n:1-9}.{n:0-20}.{n:0-9}", "okhttp/{n:3-4}.{n:0-12}.0", "Java/1.8.0_{n:60-380}", "-")

PLACE = re.compile(r"\{(\w+?)(?:\.(\w+))?(?::([^{}]*))?\}")


class World:
    """The hosts, users, paths … of one document: few of each, the first ones far more frequent."""

    def __init__(self, rng):
        self.rng = rng
        self.pools = {}
        self.start = datetime(2000, 1, 1) + timedelta(seconds=rng.randrange(26 * 365 * 86400),
                                                      microseconds=rng.randrange(1000000))
        self.now = self.start
        self.pace = 10 ** (rng.random() * 5 - 3.3)  # mean seconds between events
        self.domain = f"{self.make_name()}.{rng.choice(TOP_LEVEL)}"
        self.subnet = f"{rng.choice((10, 172, 192))}.{rng.randrange(256)}.{rng.randrange(256)}"
        self.host_style = rng.choice(("{name}", "{name}{n:1-9}", "{noun}-{n:1-64}",
                                      "node{n:100-180}",
                                      "{noun}{n:1-20}.{domain}", "srv-{name}-{n:1-9}",
                                      "ip-10-{byte}-{byte}-{byte}"))

    def tick(self):
        """Lets some time go by: often none, sometimes much."""
        if self.rng.random() < 0.7:
            self.now += timedelta(seconds=min(self.rng.expovariate(1 / self.pace), 40000))

    def time(self, form):
        """The time by a strftime form; %3f are milliseconds, %e the day padded with a space."""
        form = form.replace("%3f",
                            f"{self.now.microsecond // 1000:03d}").replace("%e", f"{self.now.day:2d}")
        form = form.replace("%s", str(int((self.now - datetime(1970, 1, 1)).total_seconds())))
        return self.now.strftime(form)

    def pick(self, pool, size, make):
        """One of about `size` values that `make` made, by Zipf's law."""
        values = self.pools.setdefault(pool, [])
        rank = int(size ** self.rng.random()) - 1
        while len(values) <= rank:
            values.append(make())
        return values[rank]

    def fill(self, template, bound=None):
        """The template with a value in place of each {kind}; {kind.name} is the same value again."""
        bound = {} if bound is None else bound

        def value(match):
            kind, name, argument = match.groups()
            if name is None:
                return self.value(kind, argument)
            if (kind, name) not in bound:
                bound[kind, name] = self.value(kind, argument)
            return bound[kind, name]
        while "{" in template:
            filled = PLACE.sub(value, template)
            if filled == template:
                break
            template = filled
        return template

    def value(self, kind, argument):
        if kind == "n":
            low, _, high = argument.partition("-")
            return str(self.rng.randrange(int(low), int(high) + 1))
        if kind == "of":
            return self.rng.choice(argument.split("|"))
        if kind == "hex":
            return "".join(self.rng.choice("0123456789abcdef") for _ in range(int(argument)))
        if kind == "some":  # one of a few numbers below 10^argument
            return self.pick("some" + argument, 30,
                             lambda: str(self.rng.randrange(10 ** int(argument))))
        if kind == "big":  # a number of any length up to the argument's
            return str(int(10 ** (self.rng.random() * int(argument))))
        return getattr(self, "make_" + kind)()

    def make_name(self):
        return "".join(self.rng.choice(SYLLABLES) for _ in range(self.rng.randrange(2, 4)))

    def make_Name(self):
        return self.pick("Name", 20, lambda: self.make_name().capitalize())

    def make_noun(self):
        return self.pick("noun", 60, lambda: self.rng.choice(NOUNS))

    def make_Noun(self):
        return self.make_noun().capitalize()

    def make_verb(self):
        return self.pick("verb", 50, lambda: self.rng.choice(VERBS))

    def make_Verb(self):
        return self.make_verb().capitalize()

    def make_past(self):
        verb = self.make_verb()
        irregular = {"read": "read", "send": "sent", "write": "written", "build": "built",
                     "rebuild": "rebuilt", "split": "split",
                     "shut": "shut", "stop": "stopped", "drop": "dropped", "map": "mapped",
                     "commit": "committed", "submit": "submitted",
                     "retry": "retried", "copy": "copied", "apply": "applied", "notify": "notified",
                     "verify": "verified"}
        return irregular.get(verb) or verb + ("d" if verb.endswith("e") else "ed")

    def make_Past(self):
        return self.make_past().capitalize()

    def make_Gerund(self):
        verb = self.make_Verb()
        if verb in ("Stop", "Drop", "Map", "Commit", "Submit", "Split", "Shut"):
            verb += verb[-1]
        return (verb[:-1] if verb.endswith("e") else verb) + "ing"

    def make_adj(self):
        return self.pick("adj", 40, lambda: self.rng.choice(ADJECTIVES))

    def make_C(self):
        return self.rng.choice("ABCDEFGHJKLMNPRSTUVWXYZ")

    def make_byte(self):
        return str(self.rng.randrange(256))

    def make_domain(self):
        return self.domain

    def make_site(self):
        return self.pick("site", 25, lambda: f"{self.make_name()}.{self.rng.choice(TOP_LEVEL)}")

    def make_host(self):
        return self.pick("host", 12, lambda: self.fill(self.host_style))

    def make_ip(self):
        return self.pick("ip", 60, lambda: f"{self.subnet}.{self.rng.randrange(1, 255)}"
                         if self.rng.random() < 0.5 else
                         f"{self.rng.randrange(1, 224)}." + ".".join(str(self.rng.randrange(256)) for _ in "abc"))

    def make_anyip(self):
        return f"{self.rng.randrange(1, 224)}." + ".".join(str(self.rng.randrange(256))
                                                           for _ in "abc")

    def make_mac(self):
        return self.pick("mac", 15, lambda: ":".join(f"{self.rng.randrange(256):02x}"
                                                     for _ in range(6)))

    def make_port(self):
        return str(self.rng.randrange(1024, 65536))

    def make_service(self):
        return self.rng.choice("22 25 53 80 110 123 143 389 443 445 993 1433 3306 3389 5432 6379 "
                               "8080 "
                               "8443 9090 9092 9200 11211 27017".split())

    def make_pid(self):
        return self.pick("pid", 25, lambda: str(int(10 ** (2 + self.rng.random() * 2.7))))

    def make_user(self):
        return self.pick("user", 20, lambda: self.rng.choice(
            (self.rng.choice(FIRST_NAMES),
             self.rng.choice(FIRST_NAMES)[0] + self.rng.choice(LAST_NAMES),
             self.rng.choice("root admin www-data postgres backup deploy nobody git jenkins "
                             "oracle test "
                             "guest ubuntu ftp mysql support user nagios tomcat hadoop".split()))))

    def make_first(self):
        return self.rng.choice(FIRST_NAMES).capitalize()

    def make_last(self):
        return self.rng.choice(LAST_NAMES).capitalize()

    def make_mail(self):
        return self.pick("mail", 30, lambda: self.fill("{of:%s}.{of:%s}@{site}" % (
            "|".join(FIRST_NAMES), "|".join(LAST_NAMES))))

    def make_uuid(self):
        return "-".join("".join(self.rng.choice("0123456789abcdef") for _ in range(n))
                        for n in (8, 4, 4, 4, 12))

    def make_id(self):
        return self.pick("id", 40, self.make_uuid)

    def make_file(self):
        return self.pick("file", 50, lambda: self.fill(self.rng.choice(
            ("{name}.{ext}", "{noun}_{noun}.{ext}", "{noun}-{n:1-400}.{ext}",
             "{adj}-{noun}.{ext}"))))

    def make_ext(self):
        return self.rng.choice(EXTENSIONS)

    def make_path(self):
        return self.pick("path", 60, lambda: self.fill(self.rng.choice(
            ("/var/{of:log|lib|run|cache|spool}/{name}/{file}",
             "/usr/{of:lib|share|bin|sbin}/{name}/{file}",
             "/home/{user}/{noun}s/{file}", "/opt/{name}/{of:bin|conf|data|lib}/{file}",
             "/etc/{name}/{file}",
             "/tmp/{name}.{hex:6}", "/data/{n:1-12}/{noun}/{noun}-{n:1-99}/{file}",
             "/srv/{domain}/{noun}/{file}"))))

    def make_url(self):
        return self.pick("url", 80, lambda: self.fill(self.rng.choice(
            ("/", "/{noun}s", "/{noun}s/{some:5}", "/api/v{n:1-3}/{noun}s/{some:6}",
             "/images/{file}", "/static/{hex:8}/{file}",
             "/{noun}/{verb}.php?id={n:1-4000}",
             "/{noun}s/{n:2001-2024}/{n:10-12}/{adj}-{noun}-{name}.html",
             "/index.php?page={noun}&lang={of:en|de|fr|es}", "/favicon.ico", "/robots.txt",
             "/search?q={noun}+{adj}",
             "/wp-content/themes/{name}/{file}", "/download/{name}-{n:1-9}.{n:0-20}.tar.gz",
             "/~{user}/{file}",
             "/{noun}/{noun}/{some:4}/{verb}?token={hex:16}", "/cgi-bin/{name}.pl"))))

    def make_agent(self):
        return self.pick("agent", 25, lambda: self.fill(self.rng.choice(AGENTS)))

    def make_class(self):
        return self.pick("class", 30,
                         lambda: self.fill("{Noun}{of:Manager|Service|Handler|Impl|Factory|Worker|Scheduler|"
                                                        "Client|Server|Listener|Store|Controller|Monitor|Tracker|Task}"))

    def make_package(self):
        return self.pick("package", 8, lambda: self.fill(
            "{of:org|com|net|io}.{name}.{of:core|server|client|common|util|storage|net|security|web|api}"))

    def make_camel(self):
        return self.pick("camel", 40,
                         lambda: self.rng.choice(VERBS) + self.rng.choice(NOUNS).capitalize())

    def make_key(self):
        return self.pick("key", 25,
                         lambda: self.fill("{noun}.{noun}.{of:size|timeout|enabled|interval|path|limit|count|ms}"))

    def make_thread(self):
        return self.pick("thread", 14, lambda: self.fill(self.rng.choice(
            ("main", "pool-{n:1-9}-thread-{n:1-32}", "{name}-{n:1-16}",
             "http-nio-{service}-exec-{n:1-40}",
             "{Noun} {n:1-9}", "IPC Server handler {n:0-63} on {n:8000-9999}",
             "{camel}-worker-{n:0-9}", "Thread-{n:1-400}"))))

    def make_size(self):
        return self.rng.choice(("{big:9}", "{n:1-999} KB", "{n:1-999}.{n:0-9} MB", "{n:1-64} GB",
                                "{big:7} bytes"))

    def make_percent(self):
        return f"{self.rng.random() * 100:.{self.rng.randrange(3)}f}%"

    def make_code(self):
        return self.pick("code", 9,
                         lambda: self.rng.choice("200 304 302 301 404 403 500 206 204 201 400 401 "
                                                 "503".split()))

    def make_service_name(self):
        return self.pick("service_name", 20, lambda: self.rng.choice(
            ("ssh", "cron", "nginx", "postgresql", "docker", "rsyslog", "NetworkManager", "cups",
             "bluetooth", "dbus",
             "apt-daily", "logrotate", "man-db", "fstrim", "snapd", "chronyd", "firewalld",
             "{name}", "{name}-{noun}")))
