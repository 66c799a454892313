"""Messages of generated logs: {kind} is a value of values.py, {kind.x} the same again in one event.

They follow what widely used programs are known to log, in words of their own where a program is made up.
"""

SYSLOG = [
    (
        "sshd[{pid.a}]: Accepted publickey for {user.a} from {ip.a} port {port.a} ssh2: RSA "
        "SHA256:{hex:43}",
        "sshd[{pid.a}]: pam_unix(sshd:session): session opened for user {user.a}(uid={n:0-2000}) "
        "by (uid=0)",
        "systemd-logind[{n.l:400-900}]: New session {n:1-9999} of user {user.a}.",
    ),
    (
        "sshd[{pid.a}]: Received disconnect from {ip.a} port {port.a}:11: disconnected by user",
        "sshd[{pid.a}]: pam_unix(sshd:session): session closed for user {user.a}",
    ),
    "CRON[{n:1000-32000}]: ({user}) CMD ({path} >/dev/null 2>&1)",
    (
        "CRON[{n.p:1000-32000}]: pam_unix(cron:session): session opened for user {user.a}(uid=0) "
        "by (uid=0)",
        "CRON[{n.p:1000-32000}]: ({user.a}) CMD (   cd / && run-parts --report /etc/cron.hourly)",
        "CRON[{n.p:1000-32000}]: pam_unix(cron:session): session closed for user {user.a}",
    ),
    ("sudo:   {user.a} : TTY=pts/{n:0-9} ; PWD=/home/{user.a} ; USER=root ; COMMAND=/usr/bin/{name} "
     "{verb} {noun}"),
    (
        "systemd[1]: Starting {service_name.a}.service - {Noun.a} {Noun.b} "
        "{of:daemon|service|server|agent}...",
        "systemd[1]: Started {service_name.a}.service - {Noun.a} {Noun.b} "
        "{of:daemon|service|server|agent}.",
    ),
    ("systemd[1]: {service_name.a}.service: Main process exited, code=exited, "
     "status={n:1-255}/FAILURE"),
    (
        "systemd[1]: {service_name.a}.service: Deactivated successfully.",
        "systemd[1]: Finished {service_name.a}.service.",
    ),
    "systemd[1]: {service_name.a}.service: Consumed {n:1-90}.{n:0-999}s CPU time.",
    "systemd[1]: {service_name}.service: Scheduled restart job, restart counter is at {n:1-40}.",
    "kernel: [{n:1-900000}.{n:100000-999999}] eth0: link {of:up|down}",
    "dhclient[{pid.a}]: DHCPREQUEST for {ip.a} on {of:eth0|ens3|enp0s31f6} to {ip.b} port 67",
    (
        "dhclient[{pid.a}]: DHCPACK of {ip.a} from {ip.b}",
        "dhclient[{pid.a}]: bound to {ip.a} -- renewal in {n:300-40000} seconds.",
    ),
    "dhcpd: DHCPDISCOVER from {mac} ({name}) via eth{n:0-3}",
    (
        "postfix/smtpd[{pid.a}]: connect from {site.a}[{ip.a}]",
        "postfix/smtpd[{pid.a}]: {hex.q:10}: client={site.a}[{ip.a}]",
        "postfix/cleanup[{pid.b}]: {hex.q:10}: message-id=<{hex:20}@{site.a}>",
        "postfix/qmgr[{pid.c}]: {hex.q:10}: from=<{mail.a}>, size={big:6}, nrcpt=1 (queue active)",
        "postfix/smtp[{pid.d}]: {hex.q:10}: to=<{mail.b}>, relay=mail.{site.b}[{ip.b}]:25, "
        "delay={n:0-9}.{n:10-99}, delays=0.0{n:1-9}/0.01/0.{n:10-99}/0.{n:1-9}, dsn=2.0.0, "
        "status=sent (250 2.0.0 Ok: queued as {hex:11})",
        "postfix/qmgr[{pid.c}]: {hex.q:10}: removed",
        "postfix/smtpd[{pid.a}]: disconnect from {site.a}[{ip.a}] ehlo=1 mail=1 rcpt=1 data=1 "
        "quit=1 commands=5",
    ),
    ("postfix/smtpd[{pid}]: NOQUEUE: reject: RCPT from unknown[{ip}]: 554 5.7.1 <{mail}>: Relay "
     "access denied; from=<{mail}> to=<{mail}> proto=ESMTP helo=<{site}>"),
    ("sendmail[{pid}]: {hex:8}{n:100000-999999}: to=<{mail}>, delay=00:00:0{n:1-9}, mailer=esmtp, "
     "pri={n:30000-130000}, relay={site}. [{ip}], dsn=2.0.0, stat=Sent"),
    ("dovecot: imap-login: Login: user=<{user}>, method=PLAIN, rip={ip}, lip={ip}, "
     "mpid={n:1000-99999}, TLS, session=<{hex:16}>"),
    "dovecot: imap({user}): Logged out in={big:5} out={big:6}",
    "named[{pid}]: client {ip}#{port}: query: {site} IN {of:A|AAAA|MX|TXT|PTR} + ({ip})",
    "named[{pid}]: lame server resolving '{site.a}' (in '{site.a}'?): {ip}#53",
    "ntpd[{pid}]: synchronized to {ip}, stratum {n:1-4}",
    "chronyd[{pid}]: Selected source {ip} ({site})",
    "snmpd[{pid}]: Connection from UDP: [{ip}]:{port}->[{ip}]:161",
    ("smartd[{pid}]: Device: /dev/sd{of:a|b|c} [SAT], SMART Usage Attribute: 194 "
     "Temperature_Celsius changed from {n:90-130} to {n:90-130}"),
    ("NetworkManager[{pid}]: <info>  [{n:1500000000-1700000000}.{n:1000-9999}] device "
     "({of:eth0|wlan0|docker0}): state change: {of:config -> ip-config|ip-check -> "
     "secondaries|activated -> deactivating} (reason 'none', sys-iface-state: 'managed')"),
    ("rsyslogd: [origin software=\"rsyslogd\" swVersion=\"8.{n:1900-2300}.0\" x-pid=\"{pid}\"] "
     "rsyslogd was HUPed"),
    "syslogd 1.4.1: restart.",
    "logrotate: ALERT exited abnormally with [{n:1-9}]",
    "xinetd[{pid}]: START: {name} pid={n:1000-30000} from={ip}",
    "puppet-agent[{pid}]: Applied catalog in {n:2-90}.{n:10-99} seconds",
    ("puppet-agent[{pid}]: (/Stage[main]/{Noun}/File[{path}]/content) content changed '{hex:32}' to "
     "'{hex:32}'"),
    ("dockerd[{pid}]: level=info msg=\"Container {hex:64} failed to exit within {n:5-30} seconds of "
     "signal 15 - using the force\""),
    ("slapd[{pid}]: conn={some:5} op={n:0-9} SRCH base=\"ou=people,dc={name},dc=org\" scope=2 "
     "deref=0 filter=\"(uid={user})\""),
    "slapd[{pid}]: conn={some:5} op={n:0-9} SEARCH RESULT tag=101 err=0 nentries={n:0-40} text=",
    ("haproxy[{pid}]: {ip}:{port} [{n:1-28}/Mar/2019:11:02:33.{n:100-999}] {noun}-in {noun}/{host} "
     "0/0/{n:0-9}/{n:1-900}/{n:1-999} {code} {big:5} - - ---- {n:1-200}/{n:1-90}/0/0/0 0/0 \"GET "
     "{url} HTTP/1.1\""),
    ("squid[{pid}]: {n:1500000000-1700000000}.{n:100-999} {n:1-9000} {ip} "
     "TCP_{of:MISS|HIT|MEM_HIT|DENIED|TUNNEL}/{code} {big:6} GET http://{site}{url} - "
     "HIER_DIRECT/{ip} text/html"),
    "gdm[{pid}]: {Noun} {adj}: {noun} {noun}",
    "automount[{pid}]: {verb}ing {path}",
    "kernel: martian source {ip} from {ip}, on dev eth0",
    ("dbus-daemon[{pid}]: [system] Activating via systemd: service name='org.freedesktop.{Noun}1' "
     "unit='dbus-org.freedesktop.{Noun}1.service' requested by ':1.{n:1-900}' (uid={n:0-1000} "
     "pid={pid} comm=\"{name}\")"),
    "ovs-vsctl: ovs|00001|vsctl|INFO|Called as ovs-vsctl --timeout=5 -- {verb}-br {name}",
    "multipathd[{pid}]: {name}: remaining active paths: {n:1-8}",
    "irqbalance[{pid}]: Cannot change IRQ {n:10-120} affinity: Operation not permitted",
]

AUTH = [
    (
        "sshd[{n.p:1000-32000}]: Invalid user {user.a} from {ip.a} port {port.a}",
        "sshd[{n.p:1000-32000}]: pam_unix(sshd:auth): check pass; user unknown",
        "sshd[{n.p:1000-32000}]: pam_unix(sshd:auth): authentication failure; logname= uid=0 "
        "euid=0 tty=ssh ruser= rhost={ip.a} ",
        "sshd[{n.p:1000-32000}]: Failed password for invalid user {user.a} from {ip.a} port "
        "{port.a} ssh2",
        "sshd[{n.p:1000-32000}]: Received disconnect from {ip.a} port {port.a}:11: Bye Bye "
        "[preauth]",
        "sshd[{n.p:1000-32000}]: Disconnected from invalid user {user.a} {ip.a} port {port.a} "
        "[preauth]",
    ),
    (
        "sshd[{n.p:1000-32000}]: pam_unix(sshd:auth): authentication failure; logname= uid=0 "
        "euid=0 tty=ssh ruser= rhost={ip.a}  user={user.a}",
        "sshd[{n.p:1000-32000}]: Failed password for {user.a} from {ip.a} port {port.a} ssh2",
        "sshd[{n.p:1000-32000}]: Connection closed by authenticating user {user.a} {ip.a} port "
        "{port.a} [preauth]",
    ),
    "sshd[{n:1000-32000}]: Connection closed by {ip} port {port} [preauth]",
    "sshd[{n:1000-32000}]: Did not receive identification string from {ip}",
    ("sshd[{n:1000-32000}]: error: maximum authentication attempts exceeded for {user} from {ip} "
     "port {port} ssh2 [preauth]"),
    ("sshd[{n:1000-32000}]: reverse mapping checking getaddrinfo for {site} [{ip}] failed - "
     "POSSIBLE BREAK-IN ATTEMPT!"),
    ("sshd[{n:1000-32000}]: Unable to negotiate with {ip} port {port}: no matching key exchange "
     "method found. Their offer: diffie-hellman-group1-sha1 [preauth]"),
    (
        "sshd[{n.p:1000-32000}]: Accepted {of:password|publickey} for {user.a} from {ip.a} port "
        "{port.a} ssh2",
        "sshd[{n.p:1000-32000}]: pam_unix(sshd:session): session opened for user {user.a} by "
        "(uid=0)",
    ),
    (
        "sudo: pam_unix(sudo:session): session opened for user root by {user.a}(uid=0)",
        "sudo: pam_unix(sudo:session): session closed for user root",
    ),
    "su[{pid}]: Successful su for {user} by {user}",
    ("useradd[{pid}]: new user: name={name.a}, UID={n:1000-2000}, GID={n:1000-2000}, "
     "home=/home/{name.a}, shell=/bin/bash"),
    (
        "CRON[{n.p:1000-32000}]: pam_unix(cron:session): session opened for user {user.a} by "
        "(uid=0)",
        "CRON[{n.p:1000-32000}]: pam_unix(cron:session): session closed for user {user.a}",
    ),
    "systemd-logind[{pid}]: Removed session {n:1-9000}.",
    "login[{pid}]: FAILED LOGIN ({n:1-5}) on '/dev/tty{n:1-6}' FOR '{user}', Authentication failure",
    ("vsftpd[{pid}]: pam_unix(vsftpd:auth): authentication failure; logname= uid=0 euid=0 tty=ftp "
     "ruser={user.a} rhost={ip}  user={user.a}"),
    ("polkitd[{pid}]: Registered Authentication Agent for unix-session:{n:1-90} (system bus name "
     ":1.{n:20-900})"),
]

NGINX = [
    ("[error] {pid.a}#{pid.a}: *{some:6} open() \"/var/www/html{url.a}\" failed (2: No such file or "
     "directory), client: {ip}, server: {site.a}, request: \"GET {url.a} HTTP/1.1\", host: "
     "\"{site.a}\""),
    ("[error] {pid.a}#0: *{some:6} connect() failed (111: Connection refused) while connecting to "
     "upstream, client: {ip}, server: {site.a}, request: \"POST {url.a} HTTP/1.1\", upstream: "
     "\"http://127.0.0.1:{service}{url.a}\", host: \"{site.a}\""),
    ("[warn] {pid.a}#{pid.a}: *{some:6} an upstream response is buffered to a temporary file "
     "/var/cache/nginx/proxy_temp/{n:0-9}/{n:10-99}/00000{some:5} while reading upstream, client: "
     "{ip}, server: {site}"),
    "[notice] {pid.a}#{pid.a}: signal process started",
    ("[crit] {pid.a}#{pid.a}: *{some:6} SSL_do_handshake() failed (SSL: error:{hex:8}:SSL "
     "routines::bad key share) while SSL handshaking, client: {ip}, server: 0.0.0.0:443"),
    ("[error] {pid.a}#{pid.a}: *{some:6} upstream timed out (110: Connection timed out) while "
     "reading response header from upstream, client: {ip}, server: {site}"),
]

APACHE = [
    "[error] [client {ip}] File does not exist: /var/www/{site}{url}",
    ("[core:error] [pid {pid}] (13)Permission denied: [client {ip}:{port}] AH00035: access to {url} "
     "denied (filesystem path '{path}') because search permissions are missing"),
    "[notice] Apache/2.{of:0|2|4}.{n:10-60} (Unix) configured -- resuming normal operations",
    ("[mpm_prefork:notice] [pid {pid}] AH00163: Apache/2.4.{n:10-60} (Debian) configured -- "
     "resuming normal operations"),
    "[error] [client {ip}] script '{path}' not found or unable to stat",
    "[error] [client {ip}] Directory index forbidden by rule: {path}/",
    ("[php:error] [pid {pid}] [client {ip}:{port}] PHP Fatal error:  Uncaught Error: Call to "
     "undefined function {camel}() in {path}:{n:3-900}"),
    ("[proxy:error] [pid {pid}:tid {n:139000000000000-140999999999999}] (111)Connection refused: "
     "AH00957: HTTP: attempt to connect to {ip}:{service} ({host}) failed"),
]

KERNEL = [
    ("Linux version {n:4-6}.{n:1-19}.0-{n:1-40}-amd64 (debian-kernel@lists.debian.org) "
     "(gcc-{n:8-13} (Debian {n:8-13}.{n:1-3}.0-{n:1-20})) #1 SMP PREEMPT_DYNAMIC"),
    "BIOS-e820: [mem 0x{hex:16}-0x{hex:16}] {of:usable|reserved|ACPI data|ACPI NVS}",
    "pci 0000:{hex:2}:{hex:2}.{n:0-7}: [{hex:4}:{hex:4}] type 0{n:0-1} class 0x{hex:6}",
    "pci 0000:{hex:2}:{hex:2}.{n:0-7}: reg 0x{n:10-24}: [mem 0x{hex:8}-0x{hex:8} 64bit pref]",
    ("ACPI: {of:SSDT|FACP|DSDT|APIC|HPET|MCFG} 0x{hex:16} {hex:6} (v0{n:1-3} "
     "{of:INTEL|DELL|ALASKA|LENOVO} {Name} 0000{hex:4} INTL {n:20050000-20230000})"),
    ("usb {n.b:1-4}-{n.p:1-9}: new {of:high|full|low|SuperSpeed}-speed USB device number {n:2-40} "
     "using xhci_hcd"),
    (
        "usb {n.b:1-4}-{n.p:1-9}: New USB device found, idVendor={hex:4}, idProduct={hex:4}, "
        "bcdDevice= {n:1-9}.{n:10-99}",
        "usb {n.b:1-4}-{n.p:1-9}: New USB device strings: Mfr=1, Product=2, SerialNumber=3",
        "usb {n.b:1-4}-{n.p:1-9}: Product: {Name} {Noun}",
        "usb {n.b:1-4}-{n.p:1-9}: Manufacturer: {Name}",
    ),
    ("sd {n.h:0-9}:0:0:0: [sd{of.d:a|b|c|d}] {n:100000-9000000000} 512-byte logical blocks: "
     "({n:1-8}.{n:10-99} TB/{n:1-7}.{n:10-99} TiB)"),
    "ata{n.a:1-6}: SATA link up {of:1.5|3.0|6.0} Gbps (SStatus {n:113-133} SControl 300)",
    "ata{n.a:1-6}.00: exception Emask 0x0 SAct 0x{hex:8} SErr 0x0 action 0x{n:0-6}",
    ("EXT4-fs (sd{of:a|b|c}{n:1-9}): mounted filesystem with ordered data mode. Opts: "
     "{of:(null)|errors=remount-ro}"),
    ("EXT4-fs error (device dm-{n:0-9}): ext4_lookup:{n:1000-1900}: inode #{big:7}: comm {name}: "
     "deleted inode referenced: {big:7}"),
    "XFS (dm-{n:0-9}): Ending clean mount",
    ("e1000e 0000:00:{hex:2}.0 eth{n:0-3}: NIC Link is Up {n:1-10}000 Mbps Full Duplex, Flow "
     "Control: Rx/Tx"),
    ("audit: type=1400 audit({n:1500000000-1700000000}.{n:100-999}:{n:1-900}): apparmor=\"DENIED\" "
     "operation=\"open\" profile=\"{name}\" name=\"{path}\" pid={pid} comm=\"{name}\" "
     "requested_mask=\"r\" denied_mask=\"r\" fsuid={n:0-1000} ouid=0"),
    "device {name} entered promiscuous mode",
    "br-{hex.x:12}: port {n.a:1-9}(veth{hex.y:7}) entered {of:blocking|disabled|forwarding} state",
    "IPv6: ADDRCONF(NETDEV_CHANGE): veth{hex:7}: link becomes ready",
    ("Out of memory: Killed process {pid} ({name}) total-vm:{big:8}kB, anon-rss:{big:7}kB, "
     "file-rss:{n:0-9000}kB, shmem-rss:0kB, UID:{n:0-1000} pgtables:{big:5}kB oom_score_adj:0"),
    ("{name}[{pid}]: segfault at {hex:12} ip 0000{hex:12} sp 00007ff{hex:9} error {n:4-7} in "
     "lib{name}.so.{n:0-9}[{hex:12}+{hex:5}000]"),
    ("perf: interrupt took too long ({n:2500-9000} > {n:2500-9000}), lowering "
     "kernel.perf_event_max_sample_rate to {n:10-79}000"),
    (
        "INFO: task {name.t}:{pid.t} blocked for more than 120 seconds.",
        "      Not tainted {n:4-6}.{n:1-19}.0-{n:1-40}-amd64 #1",
        "\"echo 0 > /proc/sys/kernel/hung_task_timeout_secs\" disables this message.",
        "Call Trace:",
        " __schedule+0x{hex:3}/0x{hex:3}",
        " schedule+0x{hex:2}/0x{hex:2}",
        " io_schedule+0x{hex:2}/0x{hex:2}",
        " {name}_{verb}_{noun}+0x{hex:3}/0x{hex:3} [{name}]",
    ),
    "mce: [Hardware Error]: CPU {n:0-63}: Machine check events logged",
    "thermal thermal_zone{n:0-9}: failed to read out thermal zone (-{n:5-95})",
    "CPU{n:0-63}: Core temperature above threshold, cpu clock throttled (total events = {big:6})",
    "nfs: server {host} not responding, still trying",
    "nfs: server {host} OK",
    ("TCP: request_sock_TCP: Possible SYN flooding on port {service}. Sending cookies.  Check SNMP "
     "counters."),
    ("[drm] {of:Initialized|Loading} {name} {n:1-3}.{n:0-9}.0 {n:20100101-20231231} for "
     "0000:{hex:2}:00.0 on minor {n:0-2}"),
    ("Memory: {big:8}K/{big:8}K available ({n:8000-20000}K kernel code, {n:1000-4000}K rwdata, "
     "{n:2000-9000}K rodata, {n:1000-3000}K init)"),
    ("input: {Name} {Noun} as "
     "/devices/pci0000:00/0000:00:{hex:2}.0/usb{n:1-4}/{n:1-4}-{n:1-9}/input/input{n:1-40}"),
    "smpboot: Booting Node {n:0-3} Processor {n:1-63} APIC 0x{hex:2}",
    "NET: Registered PF_{of:INET|INET6|PACKET|NETLINK|VSOCK} protocol family",
    ("clocksource: {of:tsc|hpet|jiffies}: mask: 0x{hex:16} max_cycles: 0x{hex:16}, max_idle_ns: "
     "{n:440795000000-881590999999} ns"),
    "random: crng init done",
]

EXCEPTIONS = [
    "java.io.IOException: Connection reset by peer",
    ("java.net.ConnectException: Call From {host}/{ip} to {host}:{service} failed on connection "
     "exception: java.net.ConnectException: Connection refused"),
    "java.lang.NullPointerException",
    "java.lang.IllegalStateException: {Noun} is {adj}",
    "java.util.concurrent.TimeoutException: {Noun} timed out after {n:1-90}000 ms",
    "{package}.{Noun}Exception: cannot {verb} {noun} {some:5}",
    "java.io.FileNotFoundException: {path} (No such file or directory)",
    "java.lang.OutOfMemoryError: Java heap space",
    "org.{name}.{Noun}NotFoundException: {path}",
    "java.sql.SQLException: ORA-0{n:1000-4000}: {adj} {noun}",
]

DISTRIBUTED = [
    "Chunk {hex.c:16} stored on {host} in {path}, {big:8} bytes",
    "Chunk {hex.c:16} has {n:1-2} of 3 copies, scheduling transfer to {ip}:{service}",
    (
        "Serving read of {hex.c:16} to /{ip.a}:{port}",
        "Read of {hex.c:16} by /{ip.a} finished: {big:8} bytes in {n:1-9000} ms",
    ),
    "Write pipeline for {hex:16}: {host} -> {host} -> {host}",
    "Volume {path} of {host} is {percent} full",
    (
        "Map task {n.j:1000-99999}/{n.t:0-400} started on {host.h}",
        "Map task {n.j:1000-99999}/{n.t:0-400}: {n:1-99} % of input read",
        "Map task {n.j:1000-99999}/{n.t:0-400} succeeded on {host.h} after {n:1-900} s",
    ),
    "Shuffle: fetched {n:1-400} outputs ({size}) from {host}",
    "Executor {n:1-64} on {host} registered with {n:1-32} cores and {n:1-64}.{n:0-9} GB of memory",
    "Stage {n.s:0-40} of job {n:0-20} has {n:1-900} tasks, {n:0-90} waiting",
    "Task {n:0-900} in stage {n:0-40} returned {big:6} bytes",
    "Cached partition {n:0-400} of {noun} in memory, {n:1-900}.{n:0-9} KB",
    "Session {hex.s:12} of /{ip}:{port} opened, timeout {n:4-60} s",
    "Session {hex:12} expired, removing {n:0-90} ephemeral nodes",
    "Lost contact with {host} for {n:1-90} s, starting election round {n:1-900}",
    "Elected {host} leader for term {n:1-900} with {n:2-5} votes",
    "Follower {n:0-9} is {big:6} entries behind",
    "Segment {noun}-{n:0-60}/{big:10} sealed at {size}",
    "Partition {noun}-{n:0-60}: replicas {n:0-9},{n:0-9},{n:0-9}, in sync {n:0-9},{n:0-9}",
    "Consumer group {noun} rebalanced: {n:1-40} members, generation {n:1-900}",
    "Topic {noun} created with {n:1-64} partitions",
    "Heartbeat from {host}:{service} lost for {n:10-600} seconds, marking node {adj}",
    "Pause of {n:100-9000} ms detected, {of:garbage collection|swapping|clock step} suspected",
    "Granted {n:1-16} GB and {n:1-8} cores on {host} to application {some:5}",
    ("Started {Noun}Application in {n:2-40}.{n:100-999} seconds (JVM running for "
     "{n:2-50}.{n:100-999})"),
    "HikariPool-{n:1-3} - Connection is not available, request timed out after 30000ms.",
    "Merged {n:2-40} files of {noun} into {path}, {big:9} -> {big:8} bytes",
    "Flushed {noun} memory table: {big:6} keys, {size}",
    "Request {uuid} {of:queued|executing|done} on shard {n:0-64}",
]

CLOUD = [
    ("[instance: {id.i}] {of:image fetched|network ready|boot requested|running|stopped by "
     "user|paused|migrating to {host}|deleted}"),
    ("[instance: {id.i}] {of:boot|shutdown|live migration|snapshot|network setup} took "
     "{n:1-60}.{n:10-99} s"),
    "{ip} \"GET /v{n:2-3}/{hex:32}/{noun}s HTTP/1.1\" {code} {n:200-3000} 0.{n:100000-999999}",
    ("{ip} \"POST /v{n:2-3}.{n:0-1}/{noun}s/{id} HTTP/1.1\" 20{n:0-4} {n:200-3000} "
     "{n:0-3}.{n:100000-999999}"),
    "Image {hex:40} in use by {n:1-9} guests on this host",
    ("Host {host}: {n:4-128} cpus, {n:0-128} assigned; {n:8-512} GB memory, {n:1-400} GB assigned; "
     "{n:1-90} guests"),
    "Reserving {n:512-16384} MB, {n:10-200} GB disk and {n:1-16} cpus on {host}",
    "Port {id} bound to {host}, mac {mac}, vlan {n:2-4000}",
    "Lock {noun}-{id.i} taken by {camel} after 0.00{n:0-9} s",
    "Message broker {ip}:5672 unreachable, next try in {n:1-30} s",
    "Volume {id}: exported to {host} as lun {n:0-64}",
    "Token of project {hex:32} {of:expired|revoked|accepted}",
    "Periodic job {verb}_{noun}s finished in {n:0-9}.{n:100-999} s",
    "Scheduler chose {host} (weight {n:0-9}.{n:0-99}) out of {n:2-400} hosts for {id.i}",
    "Filter {Noun}Filter left {n:0-40} of {n:2-400} hosts",
    "Security group {id}: {n:1-40} rules pushed to {n:1-90} ports",
    "Router {id} has gateway {ip}",
    "Quota {noun} of {user} is {n:1-90} of {n:10-100}",
    "Floating address {ip} {of:attached to|detached from} {id}",
]

JSON_FIELDS = [
    ("host", "{host}"),
    ("logger", "{package}.{class}"),
    ("thread", "{thread}"),
    ("remote_addr", "{ip}"),
    ("request", "GET {url} HTTP/1.1"),
    ("method", "{of:GET|GET|POST|PUT}"),
    ("path", "{url}"),
    ("status", "{code}"),
    ("bytes", "{big:6}"),
    ("duration_ms", "{big:4}"),
    ("user_agent", "{agent}"),
    ("trace_id", "{hex:32}"),
    ("span_id", "{hex:16}"),
    ("user", "{user}"),
    ("request_id", "{uuid}"),
    ("pid", "{pid}"),
    ("caller", "{noun}/{name}.go:{n:10-900}"),
    ("container_id", "{id}"),
    ("namespace", "{noun}-system"),
    ("pod", "{noun}-{hex:9}-{hex:5}"),
    ("stream", "{of:stdout|stderr}"),
    ("referrer", "https://{site}{url}"),
    ("service", "{noun}-service"),
    ("region", "{of:eu-central-1|us-east-1|us-west-2|ap-south-1}"),
    ("version", "v{n:1-4}.{some:1}.{n:0-20}"),
    ("client_ip", "{anyip}"),
    ("x_forwarded_for", "{ip}, {ip}"),
    ("env", "{of:prod|prod|staging}"),
    ("queue", "{noun}.{noun}"),
    ("attempt", "{n:1-5}"),
    ("error", "{of:|timeout|context deadline exceeded|connection refused}"),
    ("ssl_protocol", "{of:TLSv1.2|TLSv1.3}"),
    ("tenant", "{name}"),
]

POSTGRES = [
    ("LOG:  duration: {big:4}.{n:100-999} ms  statement: SELECT {noun.a}_id, {noun.b}, {noun}_at "
     "FROM {noun.a}s WHERE {noun.b} = '{some:5}' ORDER BY {noun}_at DESC LIMIT {n:1-100};"),
    ("LOG:  duration: {big:4}.{n:100-999} ms  execute <unnamed>: UPDATE {noun.a}s SET {noun} = $1, "
     "updated_at = now() WHERE id = $2"),
    (
        "LOG:  checkpoint starting: {of:time|wal}",
        "LOG:  checkpoint complete: wrote {big:5} buffers ({n:0-40}.{n:0-9}%); 0 WAL file(s) "
        "added, {n:0-4} removed, {n:0-9} recycled; write={n:1-290}.{n:100-999} s, "
        "sync=0.{n:100-999} s, total={n:1-290}.{n:100-999} s",
    ),
    (
        "ERROR:  duplicate key value violates unique constraint \"{noun.a}s_{noun.b}_key\"",
        "DETAIL:  Key ({noun.b})=({some:6}) already exists.",
        "STATEMENT:  INSERT INTO {noun.a}s ({noun.b}, {noun}) VALUES ($1, $2) RETURNING id",
    ),
    "ERROR:  relation \"{noun}_{noun}s\" does not exist at character {n:10-90}",
    "LOG:  connection received: host={ip} port={port}",
    "LOG:  connection authorized: user={user} database={noun} application_name={name}",
    ("LOG:  disconnection: session time: 0:{n:10-59}:{n:10-59}.{n:100-999} user={user} "
     "database={noun} host={ip} port={port}"),
    "FATAL:  password authentication failed for user \"{user}\"",
    ("LOG:  automatic vacuum of table \"{noun}.public.{noun}s\": index scans: {n:0-3} pages: 0 "
     "removed, {big:6} remain"),
    "FATAL:  remaining connection slots are reserved for non-replication superuser connections",
    (
        "ERROR:  deadlock detected",
        "DETAIL:  Process {pid.a} waits for ShareLock on transaction {some.a:8}; blocked by "
        "process {pid.b}.",
    ),
]

MYSQL = [
    "[Note] Access denied for user '{user}'@'{ip}' (using password: {of:YES|NO})",
    ("[Warning] Aborted connection {some:6} to db: '{noun}' user: '{user}' host: '{ip}' (Got an "
     "error reading communication packets)"),
    ("[Note] InnoDB: page_cleaner: 1000ms intended loop took {n:4000-90000}ms. The settings might "
     "not be optimal. (flushed={n:0-2000} and evicted=0, during the time.)"),
    ("[System] [MY-010931] [Server] /usr/sbin/mysqld: ready for connections. Version: "
     "'8.0.{n:11-36}'  socket: '/var/run/mysqld/mysqld.sock'  port: 3306"),
    "[Note] InnoDB: Buffer pool(s) load completed",
    "[ERROR] InnoDB: Operating system error number {n:2-28} in a file operation.",
    "Query\tSELECT `{noun.a}s`.* FROM `{noun.a}s` WHERE `{noun.a}s`.`{noun}_id` = {some:5} LIMIT 1",
    ("# User@Host: {user.a}[{user.a}] @ {host} [{ip}]  Id: {some:6}\n# Query_time: "
     "{n:1-40}.{n:100000-999999}  Lock_time: 0.000{n:100-999} Rows_sent: {big:4}  Rows_examined: "
     "{big:7}\nSET timestamp={n:1400000000-1700000000};\nSELECT COUNT(*) FROM {noun}s t JOIN "
     "{noun}s u ON t.id = u.{noun}_id WHERE t.{noun} > {some:4};"),
    "Connect\t{user}@{ip} on {noun} using TCP/IP",
    "Quit\t",
    ("[Note] Slave SQL thread initialized, starting replication in log "
     "'mysql-bin.{n:100000-999999}' at position {big:9}"),
]

REDIS = [
    "* {n:1-10000} changes in {n:60-900} seconds. Saving...",
    "* Background saving started by pid {n:1000-90000}",
    "* DB saved on disk",
    "* RDB: {n:0-90} MB of memory used by copy-on-write",
    "* Background saving terminated with success",
    "# WARNING overcommit_memory is set to 0! Background save may fail under low memory condition.",
    "* Replica {ip}:{port} asks for synchronization",
    ("* Partial resynchronization request from {ip}:{port} accepted. Sending {big:6} bytes of "
     "backlog starting from offset {big:10}."),
    "- Accepted {ip}:{port}",
    "- DB {n:0-3}: {some:6} keys ({some:4} volatile) in {n:1-99}000 slots HT.",
    ("# Client id={some:5} addr={ip}:{port} fd={n:8-900} name= age={big:5} idle={big:4} flags=N "
     "db=0 closed for overcoming of output buffer limits."),
]

WINDOWS_SOURCES = [
    "Service Control Manager",
    "Microsoft-Windows-Security-Auditing",
    "Microsoft-Windows-{Noun}-{Noun}",
    "{Name} {Noun} Service",
    "Application Error",
    "ESENT",
    "MsiInstaller",
    "DCOM",
    "Windows Error Reporting",
    "Microsoft-Windows-Kernel-General",
    "disk",
    "{Noun}",
]

WINDOWS = [
    "The {Name} {Noun} Service service entered the {of:running|stopped} state.",
    "The {Name} {Noun} service terminated unexpectedly.  It has done this {n:1-9} time(s).",
    ("An account was successfully logged on. Subject: Security ID: S-1-5-18 Account Name: {host}$ "
     "Account Domain: {Name} Logon ID: 0x{hex:5} Logon Type: {n:2-10}"),
    ("An account failed to log on. Account Name: {user} Failure Reason: Unknown user name or bad "
     "password. Status: 0xc000006d Source Network Address: {ip} Source Port: {port}"),
    ("Special privileges assigned to new logon. Account Name: {user} Privileges: Se{Noun}Privilege "
     "Se{Noun}Privilege"),
    ("A new process has been created. Creator Process Name: C:\\Windows\\System32\\{name}.exe New "
     "Process ID: 0x{hex:4} New Process Name: C:\\Program Files\\{Name}\\{name}.exe"),
    ("Update {uuid} for KB{n:2000000-5100000} is {of:applicable|not "
     "applicable|installed|superseded|pending restart}"),
    ("Component {Name}.{Noun}, version {n:6-10}.{n:0-3}.{n:7601-22000}.{n:1-25000}, amd64: "
     "{of:staged|resolved|verified|repaired}"),
    "Transaction {n:1-900} of session {some:8} committed, {n:1-400} files",
    "Queue of pending operations holds {n:0-90} entries",
    "Checked {n:10-100} of {n:100-20000} manifests, {n:0-2} damaged",
    ("Package {Name}-{Noun}~{hex:16}~amd64~~{n:6-10}.{n:0-3}.{n:7601-22000}.1 changes from state "
     "{n:0-7} to {n:0-7}"),
    ("Faulting application name: {name.a}.exe, version: {n:1-12}.{n:0-9}.{n:0-9000}.{n:0-90}, time "
     "stamp: 0x{hex:8} Faulting module name: {of:ntdll.dll|KERNELBASE.dll|{name}.dll} Exception "
     "code: 0xc000000{n:1-9} Fault offset: 0x{hex:16}"),
    ("Windows Installer installed the product. Product Name: {Name} {Noun}. Product Version: "
     "{n:1-20}.{n:0-9}.{n:0-90}. Product Language: 1033. Installation success or error status: 0."),
    "The description for Event ID {some:4} from source {Name} cannot be found.",
    ("The system time has changed to "
     "{n:2010-2024}-{n:10-12}-{n:10-28}T{n:10-23}:{n:10-59}:{n:10-59}.{n:100000000-999999999}Z."),
    "svchost ({n:900-9000},G,0) The database engine is starting a new instance (0).",
    ("The driver \\Driver\\{Name} failed to load for the device "
     "{of:ROOT|USB|PCI}\\VID_{hex:4}&PID_{hex:4}\\{hex:8}."),
    ("Name resolution for the name {site} timed out after none of the configured DNS servers "
     "responded."),
    "The server {hex:8}-{hex:4} did not register with DCOM within the required timeout.",
    "Group policy {Noun} {of:applied|skipped} in {n:10-9000} ms",
    "Registry key HKLM\\SOFTWARE\\{Name}\\{Noun} {of:created|changed|deleted} by {user}",
    "File C:\\Users\\{user}\\AppData\\Local\\{Name}\\{file} is locked by process {pid}",
    "Scheduled task \\{Name}\\{Noun} {of:started|completed|failed with 0x8007{hex:4}}",
    "Disk {n:0-3}: the IO operation at logical block address 0x{hex:6} was retried.",
]

RAS = [
    "{n:1-400} correctable ECC errors in DIMM {n:0-15} since last report, threshold {n:10-1000}",
    "uncorrectable ECC error at physical address 0x{hex:10}, page retired",
    "scrub pass {n:1-90} of bank {n:0-7} done, {n:0-9} words rewritten",
    "L{n:1-3} cache way {n:0-15} disabled after {n:2-40} parity errors",
    ("link {n:0-5} to neighbour {of:up|down|east|west|north|south}: {n:1-900} CRC retries in "
     "{n:1-60} s"),
    "link {n:0-5} retrained at {of:2.5|5.0|8.0|10.3|14.0} Gb/s, {n:1-16} lanes",
    "lane {n:0-15} of port {n:1-48} shut off, running degraded",
    "routing table recomputed in {n:5-900} ms, {n:0-12} cables out of service",
    "adaptive routing: {n:1-90} packets of job {some:5} dropped at vc {n:0-7}",
    "inlet air {n:15-45} C above set point {n:18-30} C for {n:10-900} s",
    "coolant flow {n:1-40}.{n:0-9} l/min, minimum is {n:1-30}.{n:0-9}",
    "blower {n:1-12} at {n:400-9000} rpm, expected {n:400-9000}",
    "rectifier {n:1-8} output {n:1-400}.{n:0-9} A {of:within|outside} limits",
    "12V rail of board {n:0-31} reads {n:11-12}.{n:100-999} V",
    "cabinet door {of:opened|closed}",
    "emergency power off armed by {of:operator|controller|leak sensor}",
    "heartbeat missed {n:2-9} times, declaring node dead",
    "node answers again after {n:3-4000} s",
    "boot image {name}-{n:1-9}.{n:0-20} loaded in {n:10-300} s",
    ("boot stopped in phase {n:1-9}: {of:no address lease|image checksum wrong|root file system not "
     "mounted|memory test failed}"),
    "console: kernel panic, {of:not syncing|attempted to kill init|fatal exception in interrupt}",
    "watchdog fired on core {n:0-63}, state saved to {path}",
    ("service processor firmware {n:1-9}.{n:0-20}.{n:0-90} differs from site level "
     "{n:1-9}.{n:0-20}.{n:0-90}"),
    "job {some:5} of {user}: {n:1-4096} nodes allocated, partition {noun}",
    "job {some:5} ended with signal {of:6|9|11|15} on rank {n:0-4095}",
    "job {some:5}: epilogue found {n:1-9} leftover processes, killed",
    ("node drained by health check: {of:file system missing|memory low|load high|link down|clock "
     "off by {n:2-90} s}"),
    "object store target {n:0-64} {of:inactive|recovering|full}, {n:1-900} clients waiting",
    "metadata server {host} failed over to {host}",
    "client evicted after {n:30-900} s without reply",
    "scratch quota of {user} exceeded by {size}",
    "tape library: drive {n:1-16} {of:needs cleaning|loaded {hex:6}|unloaded}",
    "clock corrected by {n:1-900} us against {host}",
    "fru {C}{n:1000-9999}{C}{C} serial {C}{C}{n:100000-999999} {of:inserted|removed|not recognised}",
    "voltage regulator {n:0-3} reports fault word 0x{hex:4}",
    "performance counter {n:0-255} wrapped",
    "memory interleave changed from {n:2-8}-way to {n:1-4}-way",
]

DEVICE = [
    "screen turned {of:on|off} by {of:button|timeout|proximity|app}",
    "starting {name}/.{Noun}Activity from {name}, cold start {n:100-3000} ms",
    "wake request {hex:7} by uid {n:1000-10200} ({name}:{noun}), flags {n:0-9}",
    "wake request {hex:7} released after {n:1-90000} ms",
    "heap {n:4-300} MB of {n:8-512} MB, freed {n:100-9000} KB in {n:1-90} ms",
    "brightness {n:0-255} from {n:0-255} lux, curve {name}",
    "battery {n:1-100} % at {n:20-45}.{n:0-9} C, {n:3300-4400} mV, {of:charging|discharging|full}",
    "wifi scan: {n:0-40} networks, best {mac} at -{n:30-95} dBm",
    "roaming from {mac} to {mac}, reason {n:1-9}",
    "connection to {site}:{service} through {host} took {n:10-4000} ms",
    "sent {big:5} received {big:7} in {n:1-900} s, {site}",
    "walked {some:5} steps, {n:10-9000} m, {n:1-900} kcal",
    "heart rate {n:45-180}, confidence {n:0-100}",
    "sensor {noun}: x={n:0-9}.{n:100-999} y=-{n:0-9}.{n:100-999} z={n:0-9}.{n:100-999}",
    ("location fix {n:0-59}.{n:100000-999999},{n:0-179}.{n:100000-999999} accuracy {n:3-90} m by "
     "{of:gps|network|fused}"),
    "sync of {noun} with {site} {of:started|done|failed}, {n:0-400} items",
    "notification {some:6} {of:posted|cancelled|clicked} by {name}",
    ("audio route {of:speaker|headset|bluetooth|earpiece}, {of:44100|48000} Hz, latency {n:10-200} "
     "ms"),
    "camera {n:0-2}: {of:opened|closed|capture} by {name}, {n:640-4000}x{n:480-3000}",
    "permission {noun}.{noun} {of:granted to|denied for} {name}",
    "display {n:0-2} mode {n:800-3840}x{n:600-2160}@{of:24|30|60|90|120|144}",
    "printer {name}: {of:idle|printing page {n:1-90}|out of paper|toner low}",
    "volume {name} mounted at {path}",
    "sleep after {n:1-900} s idle",
    "woken by {of:lid|keyboard|timer|network|usb}",
    "update {n:1-20}.{n:0-9}.{n:0-9} of {name} {of:found|downloaded|installed}, {size}",
    "crash of {name} in {camel} at 0x{hex:12}, report {uuid}",
]

LOGFMT = [
    "msg=\"{noun} {verb}ed\" {noun}={some:4} duration={n:1-900}.{n:100000-999999}ms",
    "component={noun} msg=\"completed cycle\" took={n:1-20}.{n:100-999}s",
    ("at=info method={of:GET|POST|PUT} path=\"{url}\" host={site} request_id={uuid} fwd=\"{ip}\" "
     "dyno=web.{n:1-8} connect={n:0-4}ms service={n:2-900}ms status={code} bytes={big:5}"),
    ("logger=context userId={n:0-90} orgId=1 uname={user} "
     "t=2021-{n:10-12}-{n:10-28}T{n:10-23}:{n:10-59}:{n:10-59}+0000 msg=\"Request Completed\" "
     "method=GET path={url} status={code} remote_addr={ip} time_ms={n:1-900} size={big:5}"),
    ("caller={name}.go:{n:20-1400} component=tsdb msg=\"write block\" "
     "mint={n:1500000000000-1700000000000} maxt={n:1500000000000-1700000000000} ulid=01{hex:24} "
     "duration={n:1-20}.{n:100-999}s"),
    ("msg=\"{Verb} {noun} failed\" error=\"dial tcp {ip}:{service}: connect: connection refused\" "
     "attempt={n:1-9}"),
    ("source=rack-timeout id={uuid} timeout=15000ms service={n:2-14000}ms "
     "state={of:completed|ready|timed_out}"),
]

AUDIT = [
    ("arch=c000003e syscall={n:0-330} success={of:yes|no} exit={n:0-9} a0={hex:12} a1={hex:4} "
     "a2={hex:6} a3={n:0-9} items={n:0-3} ppid={pid} pid={pid} auid={n:1000-1010} uid=0 gid=0 "
     "euid=0 tty=pts{n:0-5} ses={n:1-900} comm=\"{name.a}\" exe=\"/usr/bin/{name.a}\" key=\"{noun}\""),
    ("pid={pid} uid=0 auid=4294967295 ses=4294967295 "
     "msg='op=PAM:{of:setcred|session_open|accounting|authentication} acct=\"{user}\" "
     "exe=\"/usr/sbin/{of:crond|sshd|sudo}\" hostname={of:?|{ip}} addr={of:?|{ip}} "
     "terminal={of:cron|ssh} res={of:success|failed}'"),
    ("avc:  denied  { {of:read|write|getattr|open|search} } for  pid={pid} comm=\"{name}\" "
     "name=\"{file}\" dev=\"dm-{n:0-4}\" ino={big:7} scontext=system_u:system_r:{name}_t:s0 "
     "tcontext=unconfined_u:object_r:{noun}_t:s0 tclass={of:file|dir|sock_file} permissive=0"),
    "cwd=\"{path}\"",
    ("item={n:0-2} name=\"{path}\" inode={big:7} dev=fd:0{n:0-3} mode=0100{of:644|755|600} ouid=0 "
     "ogid=0 rdev=00:00 nametype={of:NORMAL|CREATE|DELETE|PARENT}"),
]

FIREWALL = [
    ("kernel: [UFW BLOCK] IN={of:eth0|ens3} OUT= MAC={mac.a}:{mac.b}:08:00 SRC={anyip} DST={ip} "
     "LEN={n:40-1500} TOS=0x00 PREC=0x00 TTL={n:30-250} ID={n:0-65535} PROTO=TCP SPT={port} "
     "DPT={service} WINDOW={n:0-65535} RES=0x00 SYN URGP=0"),
    ("kernel: DROP IN=eth0 OUT= SRC={anyip} DST={ip} LEN={n:40-600} TTL={n:30-250} PROTO=UDP "
     "SPT={port} DPT={service} LEN={n:20-500}"),
    ("%ASA-{n:3-6}-{n:106000-725999}: {of:Deny|Built inbound|Teardown} {of:TCP|UDP} connection "
     "{some:8} for outside:{anyip}/{port} to inside:{ip}/{service}"),
    ("date=2021-{n:10-12}-{n:10-28} devname=\"{host}\" logid=\"{some:9}\" type=\"traffic\" "
     "subtype=\"forward\" level=\"notice\" srcip={ip} srcport={port} dstip={anyip} "
     "dstport={service} action=\"{of:accept|deny|close}\" policyid={n:1-90} "
     "service=\"{of:HTTPS|DNS|HTTP|SSH}\" sentbyte={big:6} rcvdbyte={big:7}"),
    ("filterlog[{pid}]: "
     "{n:1-200},,,{n:1000000000-1700000000},em0,match,{of:block|pass},in,4,0x0,,{n:30-250},{n:0-65535},0,DF,6,tcp,{n:40-90},{anyip},{ip},{port},{service},0,S,{n:1000000-4000000000},,64240,,mss"),
    "pptpd[{pid}]: CTRL: Client {ip} control connection {of:started|finished}",
]

CONTAINERS = [
    "Successfully assigned {noun.n}/{noun.a}-{hex.h:9}-{hex.i:5} to {host}",
    (
        "Pulling image \"registry.{domain}/{noun.a}:{n.v:1-4}.{n.w:0-20}.{n.x:0-9}\"",
        "Successfully pulled image \"registry.{domain}/{noun.a}:{n.v:1-4}.{n.w:0-20}.{n.x:0-9}\" "
        "in {n:1-60}.{n:100000000-999999999}s",
    ),
    "Readiness probe failed: HTTP probe failed with statuscode: {code}",
    "SyncLoop ({of:ADD|UPDATE|DELETE|PLEG}): \"{noun}-{hex:9}-{hex:5}_{noun}({uuid})\"",
    "Back-off restarting failed container {noun} in pod {noun}-{hex:9}-{hex:5}",
    ("Trace[{n:100000000-2000000000}]: \"Get\" "
     "url:/api/v1/namespaces/{noun}/{noun}s/{name},user-agent:{name}/v1.{n:10-30}.{n:0-9} "
     "(linux/amd64),client:{ip} (total time: {n:500-9000}ms)"),
    "[INFO] Building {name}-{noun} {n:1-4}.{n:0-20}.{n:0-9}-SNAPSHOT [{n.a:1-20}/{n:20-40}]",
    ("[INFO] Tests run: {n:1-200}, Failures: 0, Errors: 0, Skipped: {n:0-4}, Time elapsed: "
     "{n:0-40}.{n:100-999} s - in {package}.{Noun}Test"),
    ("Step {n:1-20}/20 : RUN apt-get update && apt-get install -y {name} lib{name}-dev && rm -rf "
     "/var/lib/apt/lists/*"),
    " ---> {hex:12}",
    "[{n:1-99}%] Building CXX object src/{noun}/CMakeFiles/{name}.dir/{noun}_{noun}.cpp.o",
    "ok      github.com/{name}/{noun}/pkg/{noun}        {n:0-20}.{n:100-999}s",
    "Collecting {name}>={n:0-4}.{n:0-20}",
    ("Get:{n:1-90} http://deb.{domain}/debian bookworm/main amd64 {name} amd64 "
     "{n:1-9}.{n:0-20}-{n:1-4} [{n:10-900} kB]"),
    "npm WARN deprecated {name}@{n:0-9}.{n:0-20}.{n:0-9}: use {name} instead",
    ("time=\"{n:2019-2023}-0{n:1-9}-{n:10-28}T{n:10-23}:{n:10-59}:{n:10-59}Z\" level=warning "
     "msg=\"{adj} {noun}\" container={id}"),
    "PASSED tests/test_{noun}_{noun}.py::test_{verb}_{adj}_{noun}",
    ("GC(\"{some:3}\") Pause Young (Normal) (G1 Evacuation Pause) "
     "{n:20-900}M->{n:10-400}M({n:512-4096}M) {n:1-90}.{n:100-999}ms"),
    "E{n:1000-9999}: {camel}: unable to {verb} {noun} \"{some:5}\": {adj} {noun}",
]
