"""Which packages the text of the neural models is taken from, and how much of each.

A line is a package, the most megabytes (10^6 bytes) that it gives and, where only some of its files
fit, a regular expression that their paths must match. "src:" marks a source package, "@" a generator
(generated.py). A kind has no other size than what its lines give.
"""

import collections
import re

Entry = collections.namedtuple("Entry", "package megabytes pattern")
ModelKind = collections.namedtuple("ModelKind", "name rule entries")

PROSE = r"""
anarchism 9
r-cran-janeaustenr 4.1
src:r-cran-tokenizers 1.4 \.(rda|RData)$
sword-text-kjv 4.2
sword-text-web 4.2
sword-comm-mhcc 3
sword-comm-scofield 1
sword-comm-tdavid 9
src:sentencepiece 0.5 data/botchan
src:lucene8 6 europarl|\.lines\.txt
dict-wn 3.3
dict-gcide 7.7
dict-foldoc 2.8
dict-devil 0.5
dict-jargon 1.2
dict-vera 0.4
dict-elements 0.17
jargon-text 1.5
fortunes 2.6
fortune-anarchism 2
fortunes-bofh-excuses 0.06
wesnoth-1.16-data 3
src:nethack 0.7 dat/.*\.(des|def|txt|base|lua|tru|fal|dat)$|doc/|Guidebook
src:angband 0.7 lib/gamedata|docs/|\.rst$
crawl-common 1.4 \.(txt|des|lua)$
freeciv-data 0.4
debian-handbook 1.6 /en-US/
debian-reference-en 0.7
png-definitive-guide 0.8
ada-reference-manual-2012 1.7
ada-reference-manual-2020 0.8
rust-doc 2.2 /(book|nomicon|reference|edition-guide|rustc|cargo|embedded-book)/.*\.html$
linux-doc-6.1 5 \.(rst|txt|gz)$|Documentation
python3.11-doc 2.2
postgresql-doc-15 2.2
perl-doc 2.2
git-doc 1.7
vim-runtime 1.7
glibc-doc 1.2
apache2-doc 1.7
racket-doc 1.1
erlang-doc 1.1
bash-doc 0.7
debian-policy 1.1
developers-reference 0.6
debian-history 1
debian-edu-doc-en 1.1
lemonldap-ng-doc 0.6
icinga2-doc 0.8
derby-doc 1.1
octave-doc 1.1
maxima-doc 0.8
gap-doc 1.1
pari-doc 0.8
r-doc-html 1.1
povray-doc 1.1
csound-doc 1.1
wireshark-doc 0.8
shorewall-doc 1.1
debian-kernel-handbook 0.22
kicad-doc-en 0.8
lilypond-doc-html 1.1 Documentation/[^/]*/[a-z0-9-]*\.html$
debmake-doc 0.3
aptitude-doc-en 0.4
src:mh-book 1.5
gnome-devel-docs 0.6 /C/
libreoffice-help-en-us 2.2
exim4-base 0.7
sqlite3-doc 1.7
libssl-doc 0.8
manpages 0.8
manpages-dev 1.1
erlang-manpages 0.6
python-django-doc 1.7
postfix-doc 1.1
tcl8.6-doc 1.1
nodejs-doc 1.1
dpdk-doc 1.1
selinux-policy-doc 0.6
bind9-doc 0.7
zsh-doc 0.8
freeradius-common 0.3
swi-prolog-doc 0.8
cmake-data 1.1
mythes-en-us 1.1
systemd 0.4
mutt 0.3
gnupg 0.3
libgtk-3-doc 0.8
gnuplot-doc 0.3
octave-common 0.3
doc-debian 0.3
miscfiles 0.3
apt-doc 0.17
endless-sky-data 6 \.txt$
c++-annotations 1.4 \.html$
instead-data 0.3
link-grammar-dictionaries-en 2.5 \.batch$
cataclysm-dda-data 0.8 json/(snippets|npcs|effects|professions|scenarios)
"""

LANGUAGES = r"""
manpages-ja 0.9
manpages-zh 0.9
wesnoth-1.16-data 13
src:kmymoney 1.7 po/.*\.(po|docbook)$
src:okular 1.2 po/.*\.(po|docbook)$
src:konsole 0.9 po/.*\.(po|docbook)$
src:marble 1.7 po/.*\.(po|docbook)$
src:sentencepiece 0.7 data/wagahai
klavaro 2 \.paragraphs$
stardict-xmlittre 2.9
trans-de-en 2.9
dict-de-en 1.2
dict-freedict-eng-rus 0.6
dict-freedict-deu-fra 0.3
dict-freedict-eng-pol 0.3
dict-freedict-fra-spa 0.3
dict-freedict-eng-hin 0.3
dict-freedict-swe-eng 0.3
dict-freedict-tur-eng 0.3
dict-freedict-ara-eng 0.3
dict-freedict-fin-eng 0.3
dict-freedict-ell-eng 0.3
dict-freedict-ita-eng 0.3
dict-freedict-hun-eng 0.3
dict-freedict-jpn-eng 0.3
dict-freedict-por-deu 0.23
dict-freedict-ces-eng 0.23
edict 1.2
kanjidic 0.3
mueller7-dict 1.2
stardict-czech 0.6
fortunes-de 1.8
fortunes-ru 1.8
fortunes-zh 2.2
fortunes-cs 1
fortunes-pl 1
fortunes-es 1
fortunes-it 1
fortunes-br 0.6
fortunes-bg 0.6
fortunes-eo 0.23
fortunes-ga 0.17
sword-text-sparv 4.2
debian-paketmanagement-buch 3
installation-guide-amd64 6
debian-reference-de 0.5
debian-reference-es 0.5
debian-reference-fr 0.5
debian-reference-it 0.5
debian-reference-ja 0.5
debian-reference-pt 0.3
debian-reference-zh-cn 0.5
debian-reference-zh-tw 0.3
debian-reference-id 0.3
developers-reference-de 0.4
developers-reference-fr 0.4
developers-reference-ja 0.4
developers-reference-ru 0.4
developers-reference-it 0.4
debian-faq-ru 0.17
debian-faq-de 0.17
debian-faq-zh-cn 0.17
debian-faq-ko 0.17
debian-faq-nl 0.17
maint-guide-ru 0.17
maint-guide-ja 0.17
maint-guide-zh-cn 0.17
maint-guide-es 0.17
maint-guide-vi 0.17
maint-guide-ca 0.17
aptitude-doc-cs 0.3
aptitude-doc-es 0.3
aptitude-doc-fi 0.3
aptitude-doc-fr 0.3
aptitude-doc-it 0.3
aptitude-doc-ja 0.3
aptitude-doc-nl 0.3
aptitude-doc-ru 0.3
lilypond-doc-html-de 0.7 \.de\.html$
lilypond-doc-html-fr 0.6 \.fr\.html$
lilypond-doc-html-es 0.6 \.es\.html$
lilypond-doc-html-ca 0.4 \.ca\.html$
lilypond-doc-html-cs 0.23 \.cs\.html$
lilypond-doc-html-it 0.5 \.it\.html$
lilypond-doc-html-ja 0.6 \.ja\.html$
lilypond-doc-html-nl 0.3 \.nl\.html$
lilypond-doc-html-hu 0.23 \.hu\.html$
lilypond-doc-html-pt 0.3 \.pt\.html$
lilypond-doc-html-zh 0.23 \.zh\.html$
scilab-doc-fr 0.7
scilab-doc-ja 0.7
scilab-doc-pt-br 0.7
kicad-doc-ca 0.3
kicad-doc-de 0.3
kicad-doc-es 0.3
kicad-doc-fr 0.3
kicad-doc-it 0.3
kicad-doc-ja 0.3
kicad-doc-pl 0.3
kicad-doc-ru 0.3
kicad-doc-zh 0.3
libreoffice-help-ca 0.3
libreoffice-help-cs 0.4
libreoffice-help-da 0.3
libreoffice-help-de 0.9
libreoffice-help-el 0.4
libreoffice-help-es 0.7
libreoffice-help-et 0.23
libreoffice-help-eu 0.23
libreoffice-help-fi 0.3
libreoffice-help-fr 0.7
libreoffice-help-gl 0.17
libreoffice-help-hi 0.6
libreoffice-help-hu 0.3
libreoffice-help-id 0.3
libreoffice-help-it 0.5
libreoffice-help-ja 0.7
libreoffice-help-km 0.23
libreoffice-help-ko 0.6
libreoffice-help-nl 0.3
libreoffice-help-pl 0.6
libreoffice-help-pt 0.3
libreoffice-help-pt-br 0.5
libreoffice-help-ru 0.9
libreoffice-help-sk 0.23
libreoffice-help-sl 0.23
libreoffice-help-sv 0.3
libreoffice-help-tr 0.5
libreoffice-help-vi 0.3
libreoffice-help-zh-cn 0.8
libreoffice-help-zh-tw 0.4
mythes-de 0.3
mythes-fr 0.3
mythes-ru 0.23
mythes-es 0.23
mythes-pl 0.23
mythes-it 0.17
mythes-cs 0.17
mythes-ar 0.17
apertium-eng-spa 0.3
apertium-rus-ukr 0.3
apertium-fra-cat 0.3
apertium-hin 0.17
collatinus 0.3
apache2-doc 1.7 /(de|es|fr|ja|ko|pt-br|tr|zh-cn|da|sv|tr|ru)/
manpages-de 1.2
manpages-fr 1.2
manpages-es 0.9
manpages-ru 1.2
manpages-pl 0.9
manpages-it 0.7
manpages-ro 0.7
manpages-uk 0.9
manpages-pt-br 0.6
manpages-nl 0.5
manpages-cs 0.5
manpages-da 0.3
manpages-hu 0.5
manpages-fi 0.3
manpages-tr 0.5
manpages-el 0.23
manpages-id 0.23
manpages-sv 0.3
manpages-sr 0.23
manpages-vi 0.23
manpages-mk 0.17
manpages-nb 0.17
manpages-pt 0.23
manpages-de-dev 0.6
manpages-fr-dev 0.6
manpages-ru-dev 0.5
manpages-ja-dev 0.6
manpages-uk-dev 0.3
gimp-help-de 0.6
gimp-help-ru 0.6
gimp-help-zh-cn 0.6
gimp-help-ja 0.6
gnome-user-docs 3.5
gnome-devel-docs 1.2
mate-user-guide 1.2
debian-handbook 7
lyx-common 4.1 /doc/.*\.lyx
evolution-common 1.2 /help/
apt 0.6 /man/
dpkg 0.5 /man/
dpkg-dev 0.5 /man/
po4a 0.6 /man/
debian-reference-common 0.17
pioneers-data 0.12
qgis-providers-common 0.3
baobab 0.17
evince-common 0.3
gedit-common 0.3
gnumeric-common 0.6
gnote 0.3
epiphany-browser-data 0.23
orca 0.17
brasero-common 0.23
"""

MESSAGES = r"""
src:mediawiki 4.3 i18n/.*\.json$
src:debian-edu-doc 2.5 \.po$
src:freeciv 1.9 translations/.*\.po$
src:git 1.2 po/.*\.po$
src:calibre 3.1 (translations|manual)/.*\.po$
src:dpkg 1.2 man/po/.*\.po$
src:openttd 1.9 src/lang/
src:iso-codes 1.2 \.po$
src:darktable 0.6 po/.*\.po$
src:aptitude 0.6 po/.*\.po$
src:debian-installer 0.6 \.po$
libreoffice-l10n-ar 0.4
libreoffice-l10n-fa 0.3
libreoffice-l10n-he 0.3
libreoffice-l10n-bn 0.25
libreoffice-l10n-ta 0.25
libreoffice-l10n-th 0.3
libreoffice-l10n-uk 0.3
libreoffice-l10n-ka 0.19
libreoffice-l10n-lt 0.19
libreoffice-l10n-bg 0.25
libreoffice-l10n-sr 0.19
libreoffice-l10n-is 0.19
wordpress-l10n 1.9
gcc-12-locales 1.2
cataclysm-dda-data 5 \.mo$
lyx-common 0.6 \.mo$
gramps 1.2 \.mo$
inkscape 1.9 \.mo$
gimp-data 1.2 \.mo$
kate5-data 1.6 \.mo$|docbook|cache
konsole 0.6 \.mo$|docbook|cache
kalzium-data 1.2 \.mo$|docbook|cache
umbrello 1.2 \.mo$|docbook|cache
krusader 1.2 \.mo$|docbook|cache
kile 0.9 \.mo$|docbook|cache
kmymoney-common 1.2 \.mo$|docbook|cache
skrooge-common 1.2 \.mo$|docbook|cache
plasma-desktop-data 1.2 \.mo$|docbook|cache
kdenlive-data 0.6 \.mo$|docbook|cache
digikam-data 1.2 \.mo$|docbook|cache
krita-l10n 1.2 \.mo$
aptitude-common 0.5 /man/|\.mo$
ruby-faker 0.9 locales/.*\.yml$
python3-fake-factory 0.9 \.py$
minetest 0.6 \.mo$
git 1.2 \.mo$
tuxpaint 0.3 \.mo$
freeciv 0.3 \.mo$
"""

CODE = r"""
libpython3.11-stdlib 1.9
src:gnulib 1.5
golang-1.19-src 1.9
rust-src 1.9
openjdk-17-source 1.9
linux-headers-common 1.5
libboost1.74-dev 1.7
perl-modules-5.36 1.7
node-typescript 1.5
python3-django 1.5
libruby3.1 1.5
wordpress 1.4
libcgal-dev 1.4
golang-golang-x-net-dev 1.1
emacs-el 1.7
python3-pandas 1.4
autoconf 0.6
automake 0.6
node-lodash 0.6
erlang-src 1.4
libstdc++-12-dev 1.5
mercurial-common 1.1
librust-tokio-dev 0.9
qtbase5-dev 1.1
golang-google-protobuf-dev 0.8
python3-twisted 1.1
roundcube-core 0.8
tcllib 1.1
librust-syn-dev 0.6
libwxgtk3.2-dev 0.8
sbcl-source 0.9
bash-completion 0.4
elixir 0.4
npm 0.9
python3-sphinx 0.6
phpmyadmin 0.9
librust-clap-dev 0.4
ruby-activerecord 0.8
python3-matplotlib 1.1
python3-scipy 1.1 \.py$
python3-sympy 0.9
python3-sqlalchemy 0.6
src:ocaml 0.9
src:ghc 1.5 \.(hs|lhs|c)$
src:scala 0.9 \.scala$
src:kotlin 0.9 \.(kt|java)$
src:groovy 0.6
src:dart 0.4
src:r-base 1.1 \.(R|c|Rd)$
src:lapack 0.8 \.f$
src:octave 0.8 \.(m|cc)$
fpc-source-3.2.2 0.9
src:keepass2 0.5 \.cs$
src:ghdl 0.6 \.(vhdl|vhd|adb|ads)$
src:iverilog 0.4 \.(v|sv|cc)$
src:swi-prolog 0.8 \.(pl|c)$
src:nodejs 1.5 /(lib|test)/.*\.(js|mjs)$
src:systemd 1.5 \.(c|h|py)$
src:git 1.5 \.(c|h|sh|perl|py)$
src:rustc 1.5 \.rs$
src:qtbase-opensource-src 1.1 \.(cpp|h|qml|pro)$
src:redis 0.8
src:nginx 0.6
src:lucene8 1.1 \.java$
src:mediawiki 1.1 \.(php|js|less|css)$
src:godot 0.9 \.(cpp|h|cs|gd|glsl)$
src:crowdsec 0.8 \.(go|yaml)$
src:elixir-lang 0.8 \.(ex|exs)$
src:lua5.4 0.22
src:coq 0.6 \.(v|ml)$
src:racket 0.6 \.rkt$
golang-github-prometheus-client-golang-dev 0.4
src:vim 0.8 \.(c|vim|h)$
src:zsh 0.4
src:bash 0.4 \.(c|h|sh|tests|right)$
src:sqlite3 1.1 \.(c|test|h)$
src:ffmpeg 1.1 \.(c|h|asm|S)$
src:curl 0.8 \.(c|h|pl)$
src:openssl 1.1 \.(c|h|pl|t)$
src:jquery 0.22
libjs-bootstrap4 0.4 \.(css|js|scss)$
node-babel7 0.4
texlive-latex-base 0.8 \.(sty|cls|tex|def|ltx)$
texlive-latex-extra 0.8 \.(sty|cls|tex|def|ltx)$
dkms 0.08
debhelper 0.4
linux-source-6.1 4.5 \.(c|h|S|rst|dts|dtsi|py|sh)$
libjs-three 0.6 \.js$
python3-nova 1.1 \.py$
libjs-vue 0.22
cataclysm-dda-data 0.4 \.lua$
python3-azure 0.6 \.py$
libruby3.1 0.8
netdata-core 0.22
"""

MARKUP = r"""
docbook-xsl 0.9
qtbase5-doc-html 0.9
libstdc++-12-doc 0.9
cppreference-doc-en-html 1.5
postgresql-doc-15 0.6 \.html$
python3.11-doc 0.7 \.html$
breeze-icon-theme 0.6
openclipart-svg 0.5
unicode-cldr-core 1.8
shared-mime-info 0.5
src:libphonenumber 0.6 resources/.*\.(xml|txt)$
gdal-data 0.6
openjdk-17-doc 0.9 \.html$
python-pandas-doc 0.7 \.html$
derby-doc 0.5 \.html$
ansible 1.2
tzdata 0.3
xkb-data 0.18
librsvg2-doc 0.18
src:docbook5-xml 0.3
src:okular 0.6 docs?/.*\.docbook$
kde-cli-tools-data 0.06
src:wireshark 0.6 (radius|diameter|dtds)/
lintian 0.5
src:libvirt 0.9 \.xml$
osinfo-db 0.7
spamassassin 0.6
kate5-data 0.5 \.(xml|docbook)$
inkscape 0.5 \.svg$
python3-notebook 0.18 \.(html|svg|css)$
"""

JSON_TEXT = r"""
python3-botocore 4
node-mdn-browser-compat-data 2
src:simdjson 1 \.json$
src:rapidjson 0.5 \.json$
src:nodejs 0.5 \.json$
src:calibre 0.3 \.json$
src:osm2pgsql 0.3
src:mongo-c-driver 1.5 \.json$
src:crowdsec 0.5 \.json$
node-caniuse-db 1
python3-geojson 0.1
@json 3
cataclysm-dda-data 2.5 \.json$
golang-github-aws-aws-sdk-go-dev 2 \.json$
python3-azure 0.3 \.json$
node-caniuse-lite 0.5
mediawiki 1 \.json$
python3-jsonschema 0.3 \.json$
libjs-openlayers 0.3 \.json$
"""

SQL = r"""
mariadb-test-data 3
src:h2database 1 \.sql$
src:hsqldb 0.5 \.(sql|txt)$
src:derby 1 \.(sql|out)$
src:postgis 1.5 regress/
src:mediawiki 0.6 \.sql$
src:phpmyadmin 0.3 \.sql$
src:firebird3.0 0.5 \.sql$
bacula-director-mysql 0.1
@sql 3
gnumed-server 1.5 \.sql$
src:pgpool2 0.4 \.(sql|out|sh)$
"""

TABLES = r"""
python3-statsmodels 2.5 \.(csv|dat|txt)$
unicode-data 3
pci.ids 0.8
usb.ids 0.5
python3-sklearn 0.7 \.(csv|gz)$
publicsuffix 0.2
astro-catalogs 2
hwdata 0.8
src:r-base 0.8 \.(csv|tab|R|dat)$
src:gnuplot 0.5 \.(dat|txt|csv)$
src:nltk 0.1 \.csv$
src:bedtools 0.3 \.(bed|gff|txt)$
@tables 3.5
python3-astropy 1 \.(csv|dat|txt|ecsv|tbl|cdb)$
python3-csvkit 0.2
python3-pandas 0.4 \.csv$
r-base-core 0.4 \.(csv|tab|dat)$
"""

LOGS = r"""
src:percona-toolkit 4 t/.*samples/
src:pgbadger 1 t/|\.log$
src:edid-decode 0.2
src:tcpdump 1.5 tests/.*\.out$
src:exim4 2 test/(log|stderr|stdout|rejectlog|mail)/
src:crowdsec 0.8 tests?/.*(\.log|assert|\.yaml)$|\.log$
src:syslog-ng 0.3 test|patterndb
src:psad 0.4 test|data
src:util-linux 0.5 tests/expected|tests/ts/dmesg
src:collectd 0.1 \.log$
src:squid 0.1 \.log$
src:audit 0.2 tests?/|\.log$
src:analog 0.4
src:wireshark 0.2 \.(log|txt)$
src:autopkgtest 0.1
src:logstalgia 0.2 \.log$
src:nagios4 0.1 \.log$
@logs 6.5
fail2ban 0.8 tests/
logwatch 0.2
lnav 0.3
libapparmor-dev 0.01
goaccess 0.05
"""


def entries_of(lines):
    for line in lines.strip().split("\n"):
        package, megabytes, *pattern = line.split(None, 2)
        yield Entry(package, float(megabytes), re.compile(pattern[0]) if pattern else None)


MODEL_KINDS = [ModelKind(name, rule, list(entries_of(lines))) for name, rule, lines in (
    ("prose", "prose", PROSE),
    ("languages", "lang", LANGUAGES),
    ("messages", "lang", MESSAGES),
    ("code", "code", CODE),
    ("markup", "data", MARKUP),
    ("JSON", "data", JSON_TEXT),
    ("SQL", "data", SQL),
    ("tables", "any", TABLES),
    ("logs", "any", LOGS),
)]

MODEL_MEGABYTES = sum(entry.megabytes for kind in MODEL_KINDS for entry in kind.entries)
