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
dict-wn 6
dict-gcide 14
dict-foldoc 5
dict-devil 0.5
dict-jargon 1.2
dict-vera 0.8
dict-elements 0.3
jargon-text 1.5
fortunes 2.6
fortune-anarchism 2
fortunes-bofh-excuses 0.1
wesnoth-1.16-data 3
src:nethack 1.2 dat/.*\.(des|def|txt|base|lua|tru|fal|dat)$|doc/|Guidebook
src:angband 1.2 lib/gamedata|docs/|\.rst$
crawl-common 2.5 \.(txt|des|lua)$
freeciv-data 0.8
debian-handbook 1.6 /en-US/
debian-reference-en 1.2
png-definitive-guide 1.5
ada-reference-manual-2012 3
ada-reference-manual-2020 1.5
rust-doc 4 /(book|nomicon|reference|edition-guide|rustc|cargo|embedded-book)/.*\.html$
linux-doc-6.1 9 \.(rst|txt|gz)$|Documentation
python3.11-doc 4
postgresql-doc-15 4
perl-doc 4
git-doc 3
vim-runtime 3
glibc-doc 2.2
apache2-doc 3
racket-doc 2
erlang-doc 2
bash-doc 1.2
debian-policy 2
developers-reference 1
debian-history 1
debian-edu-doc-en 2
lemonldap-ng-doc 1
icinga2-doc 1.5
derby-doc 2
octave-doc 2
maxima-doc 1.5
gap-doc 2
pari-doc 1.5
r-doc-html 2
povray-doc 2
csound-doc 2
wireshark-doc 1.5
shorewall-doc 2
debian-kernel-handbook 0.4
kicad-doc-en 1.5
lilypond-doc-html 2 Documentation/[^/]*/[a-z0-9-]*\.html$
debmake-doc 0.6
aptitude-doc-en 0.8
src:mh-book 1.5
gnome-devel-docs 1 /C/
libreoffice-help-en-us 4
exim4-base 1.2
sqlite3-doc 3
libssl-doc 1.5
manpages 1.5
manpages-dev 2
erlang-manpages 1
python-django-doc 3
postfix-doc 2
tcl8.6-doc 2
nodejs-doc 2
dpdk-doc 2
selinux-policy-doc 1
bind9-doc 1.2
zsh-doc 1.5
freeradius-common 0.6
swi-prolog-doc 1.5
cmake-data 2
mythes-en-us 2
systemd 0.8
mutt 0.6
gnupg 0.5
libgtk-3-doc 1.5
gnuplot-doc 0.6
octave-common 0.5
doc-debian 0.6
miscfiles 0.5
apt-doc 0.3
endless-sky-data 6 \.txt$
c++-annotations 2.5 \.html$
instead-data 0.5
link-grammar-dictionaries-en 2.5 \.batch$
cataclysm-dda-data 1.5 json/(snippets|npcs|effects|professions|scenarios)
"""

LANGUAGES = r"""
manpages-ja 1.5
manpages-zh 1.5
wesnoth-1.16-data 13
src:kmymoney 3 po/.*\.(po|docbook)$
src:okular 2 po/.*\.(po|docbook)$
src:konsole 1.5 po/.*\.(po|docbook)$
src:marble 3 po/.*\.(po|docbook)$
src:sentencepiece 0.7 data/wagahai
klavaro 2 \.paragraphs$
stardict-xmlittre 5
trans-de-en 5
dict-de-en 2
dict-freedict-eng-rus 1
dict-freedict-deu-fra 0.6
dict-freedict-eng-pol 0.6
dict-freedict-fra-spa 0.5
dict-freedict-eng-hin 0.5
dict-freedict-swe-eng 0.6
dict-freedict-tur-eng 0.5
dict-freedict-ara-eng 0.6
dict-freedict-fin-eng 0.6
dict-freedict-ell-eng 0.6
dict-freedict-ita-eng 0.6
dict-freedict-hun-eng 0.5
dict-freedict-jpn-eng 0.6
dict-freedict-por-deu 0.4
dict-freedict-ces-eng 0.4
edict 2
kanjidic 0.6
mueller7-dict 2
stardict-czech 1
fortunes-de 1.8
fortunes-ru 1.8
fortunes-zh 2.2
fortunes-cs 1
fortunes-pl 1
fortunes-es 1
fortunes-it 1
fortunes-br 0.6
fortunes-bg 0.6
fortunes-eo 0.4
fortunes-ga 0.3
sword-text-sparv 4.2
debian-paketmanagement-buch 3
installation-guide-amd64 6
debian-reference-de 0.9
debian-reference-es 0.9
debian-reference-fr 0.9
debian-reference-it 0.9
debian-reference-ja 0.9
debian-reference-pt 0.6
debian-reference-zh-cn 0.9
debian-reference-zh-tw 0.6
debian-reference-id 0.6
developers-reference-de 0.7
developers-reference-fr 0.7
developers-reference-ja 0.7
developers-reference-ru 0.7
developers-reference-it 0.7
debian-faq-ru 0.3
debian-faq-de 0.3
debian-faq-zh-cn 0.3
debian-faq-ko 0.3
debian-faq-nl 0.3
maint-guide-ru 0.3
maint-guide-ja 0.3
maint-guide-zh-cn 0.3
maint-guide-es 0.3
maint-guide-vi 0.3
maint-guide-ca 0.3
aptitude-doc-cs 0.5
aptitude-doc-es 0.5
aptitude-doc-fi 0.5
aptitude-doc-fr 0.5
aptitude-doc-it 0.5
aptitude-doc-ja 0.5
aptitude-doc-nl 0.5
aptitude-doc-ru 0.5
lilypond-doc-html-de 1.2 \.de\.html$
lilypond-doc-html-fr 1 \.fr\.html$
lilypond-doc-html-es 1 \.es\.html$
lilypond-doc-html-ca 0.7 \.ca\.html$
lilypond-doc-html-cs 0.4 \.cs\.html$
lilypond-doc-html-it 0.8 \.it\.html$
lilypond-doc-html-ja 1 \.ja\.html$
lilypond-doc-html-nl 0.5 \.nl\.html$
lilypond-doc-html-hu 0.4 \.hu\.html$
lilypond-doc-html-pt 0.5 \.pt\.html$
lilypond-doc-html-zh 0.4 \.zh\.html$
scilab-doc-fr 1.2
scilab-doc-ja 1.2
scilab-doc-pt-br 1.2
kicad-doc-ca 0.5
kicad-doc-de 0.6
kicad-doc-es 0.6
kicad-doc-fr 0.6
kicad-doc-it 0.6
kicad-doc-ja 0.6
kicad-doc-pl 0.6
kicad-doc-ru 0.6
kicad-doc-zh 0.6
libreoffice-help-ca 0.5
libreoffice-help-cs 0.7
libreoffice-help-da 0.5
libreoffice-help-de 1.6
libreoffice-help-el 0.7
libreoffice-help-es 1.2
libreoffice-help-et 0.4
libreoffice-help-eu 0.4
libreoffice-help-fi 0.5
libreoffice-help-fr 1.2
libreoffice-help-gl 0.3
libreoffice-help-hi 1
libreoffice-help-hu 0.6
libreoffice-help-id 0.5
libreoffice-help-it 0.8
libreoffice-help-ja 1.2
libreoffice-help-km 0.4
libreoffice-help-ko 1
libreoffice-help-nl 0.6
libreoffice-help-pl 1
libreoffice-help-pt 0.5
libreoffice-help-pt-br 0.8
libreoffice-help-ru 1.6
libreoffice-help-sk 0.4
libreoffice-help-sl 0.4
libreoffice-help-sv 0.5
libreoffice-help-tr 0.8
libreoffice-help-vi 0.5
libreoffice-help-zh-cn 1.4
libreoffice-help-zh-tw 0.7
mythes-de 0.5
mythes-fr 0.5
mythes-ru 0.4
mythes-es 0.4
mythes-pl 0.4
mythes-it 0.3
mythes-cs 0.3
mythes-ar 0.3
apertium-eng-spa 0.5
apertium-rus-ukr 0.5
apertium-fra-cat 0.5
apertium-hin 0.3
collatinus 0.5
apache2-doc 3 /(de|es|fr|ja|ko|pt-br|tr|zh-cn|da|sv|tr|ru)/
manpages-de 2
manpages-fr 2
manpages-es 1.6
manpages-ru 2
manpages-pl 1.5
manpages-it 1.2
manpages-ro 1.2
manpages-uk 1.5
manpages-pt-br 1
manpages-nl 0.9
manpages-cs 0.8
manpages-da 0.6
manpages-hu 0.8
manpages-fi 0.6
manpages-tr 0.9
manpages-el 0.4
manpages-id 0.4
manpages-sv 0.5
manpages-sr 0.4
manpages-vi 0.4
manpages-mk 0.3
manpages-nb 0.3
manpages-pt 0.4
manpages-de-dev 1
manpages-fr-dev 1
manpages-ru-dev 0.8
manpages-ja-dev 1
manpages-uk-dev 0.6
gimp-help-de 1
gimp-help-ru 1
gimp-help-zh-cn 1
gimp-help-ja 1
gnome-user-docs 6
gnome-devel-docs 2
mate-user-guide 2
debian-handbook 7
lyx-common 7 /doc/.*\.lyx
evolution-common 2 /help/
apt 1 /man/
dpkg 0.8 /man/
dpkg-dev 0.8 /man/
po4a 1 /man/
debian-reference-common 0.3
pioneers-data 0.2
qgis-providers-common 0.5
baobab 0.3
evince-common 0.5
gedit-common 0.5
gnumeric-common 1
gnote 0.5
epiphany-browser-data 0.4
orca 0.3
brasero-common 0.4
"""

MESSAGES = r"""
src:mediawiki 7 i18n/.*\.json$
src:debian-edu-doc 4 \.po$
src:freeciv 3 translations/.*\.po$
src:git 2 po/.*\.po$
src:calibre 5 (translations|manual)/.*\.po$
src:dpkg 2 man/po/.*\.po$
src:openttd 3 src/lang/
src:iso-codes 2 \.po$
src:darktable 1 po/.*\.po$
src:aptitude 1 po/.*\.po$
src:debian-installer 1 \.po$
libreoffice-l10n-ar 0.7
libreoffice-l10n-fa 0.5
libreoffice-l10n-he 0.5
libreoffice-l10n-bn 0.4
libreoffice-l10n-ta 0.4
libreoffice-l10n-th 0.5
libreoffice-l10n-uk 0.5
libreoffice-l10n-ka 0.3
libreoffice-l10n-lt 0.3
libreoffice-l10n-bg 0.4
libreoffice-l10n-sr 0.3
libreoffice-l10n-is 0.3
wordpress-l10n 3
gcc-12-locales 2
cataclysm-dda-data 8 \.mo$
lyx-common 1 \.mo$
gramps 2 \.mo$
inkscape 3 \.mo$
gimp-data 2 \.mo$
kate5-data 2.5 \.mo$|docbook|cache
konsole 1 \.mo$|docbook|cache
kalzium-data 2 \.mo$|docbook|cache
umbrello 2 \.mo$|docbook|cache
krusader 2 \.mo$|docbook|cache
kile 1.5 \.mo$|docbook|cache
kmymoney-common 2 \.mo$|docbook|cache
skrooge-common 2 \.mo$|docbook|cache
plasma-desktop-data 2 \.mo$|docbook|cache
kdenlive-data 1 \.mo$|docbook|cache
digikam-data 2 \.mo$|docbook|cache
krita-l10n 2 \.mo$
aptitude-common 0.8 /man/|\.mo$
ruby-faker 1.5 locales/.*\.yml$
python3-fake-factory 1.5 \.py$
minetest 1 \.mo$
git 2 \.mo$
tuxpaint 0.5 \.mo$
freeciv 0.5 \.mo$
"""

CODE = r"""
libpython3.11-stdlib 2.5
src:gnulib 2
golang-1.19-src 2.5
rust-src 2.5
openjdk-17-source 2.5
linux-headers-common 2
libboost1.74-dev 2.2
perl-modules-5.36 2.2
node-typescript 2
python3-django 2
libruby3.1 2
wordpress 1.8
libcgal-dev 1.8
golang-golang-x-net-dev 1.5
emacs-el 2.2
python3-pandas 1.8
autoconf 0.8
automake 0.8
node-lodash 0.8
erlang-src 1.8
libstdc++-12-dev 2
mercurial-common 1.5
librust-tokio-dev 1.2
qtbase5-dev 1.5
golang-google-protobuf-dev 1
python3-twisted 1.5
roundcube-core 1
tcllib 1.5
librust-syn-dev 0.8
libwxgtk3.2-dev 1
sbcl-source 1.2
bash-completion 0.5
elixir 0.5
npm 1.2
python3-sphinx 0.8
phpmyadmin 1.2
librust-clap-dev 0.5
ruby-activerecord 1
python3-matplotlib 1.5
python3-scipy 1.5 \.py$
python3-sympy 1.2
python3-sqlalchemy 0.8
src:ocaml 1.2
src:ghc 2 \.(hs|lhs|c)$
src:scala 1.2 \.scala$
src:kotlin 1.2 \.(kt|java)$
src:groovy 0.8
src:dart 0.6
src:r-base 1.5 \.(R|c|Rd)$
src:lapack 1 \.f$
src:octave 1 \.(m|cc)$
fpc-source-3.2.2 1.2
src:keepass2 0.7 \.cs$
src:ghdl 0.8 \.(vhdl|vhd|adb|ads)$
src:iverilog 0.5 \.(v|sv|cc)$
src:swi-prolog 1 \.(pl|c)$
src:nodejs 2 /(lib|test)/.*\.(js|mjs)$
src:systemd 2 \.(c|h|py)$
src:git 2 \.(c|h|sh|perl|py)$
src:rustc 2 \.rs$
src:qtbase-opensource-src 1.5 \.(cpp|h|qml|pro)$
src:redis 1
src:nginx 0.8
src:lucene8 1.5 \.java$
src:mediawiki 1.5 \.(php|js|less|css)$
src:godot 1.2 \.(cpp|h|cs|gd|glsl)$
src:crowdsec 1 \.(go|yaml)$
src:elixir-lang 1 \.(ex|exs)$
src:lua5.4 0.3
src:coq 0.8 \.(v|ml)$
src:racket 0.8 \.rkt$
golang-github-prometheus-client-golang-dev 0.5
src:vim 1 \.(c|vim|h)$
src:zsh 0.5
src:bash 0.6 \.(c|h|sh|tests|right)$
src:sqlite3 1.5 \.(c|test|h)$
src:ffmpeg 1.5 \.(c|h|asm|S)$
src:curl 1 \.(c|h|pl)$
src:openssl 1.5 \.(c|h|pl|t)$
src:jquery 0.3
libjs-bootstrap4 0.6 \.(css|js|scss)$
node-babel7 0.6
texlive-latex-base 1 \.(sty|cls|tex|def|ltx)$
texlive-latex-extra 1 \.(sty|cls|tex|def|ltx)$
dkms 0.1
debhelper 0.5
linux-source-6.1 6 \.(c|h|S|rst|dts|dtsi|py|sh)$
libjs-three 0.8 \.js$
python3-nova 1.5 \.py$
libjs-vue 0.3
cataclysm-dda-data 0.5 \.lua$
python3-azure 0.8 \.py$
libruby3.1 1
netdata-core 0.3
"""

MARKUP = r"""
docbook-xsl 1.5
qtbase5-doc-html 1.5
libstdc++-12-doc 1.5
cppreference-doc-en-html 2.5
postgresql-doc-15 1 \.html$
python3.11-doc 1.2 \.html$
breeze-icon-theme 1
openclipart-svg 0.8
unicode-cldr-core 3
shared-mime-info 0.8
src:libphonenumber 1 resources/.*\.(xml|txt)$
gdal-data 1
openjdk-17-doc 1.5 \.html$
python-pandas-doc 1.2 \.html$
derby-doc 0.8 \.html$
ansible 2
tzdata 0.5
xkb-data 0.3
librsvg2-doc 0.3
src:docbook5-xml 0.5
src:okular 1 docs?/.*\.docbook$
kde-cli-tools-data 0.1
src:wireshark 1 (radius|diameter|dtds)/
lintian 0.8
src:libvirt 1.5 \.xml$
osinfo-db 1.2
spamassassin 1
kate5-data 0.8 \.(xml|docbook)$
inkscape 0.8 \.svg$
python3-notebook 0.3 \.(html|svg|css)$
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
