"""Which packages each kind of text is taken from.

The shares of the four kinds add up to 1. Packages are used in this order, and small texts use the
first ones only, so the order mixes subjects, programming languages, formats and languages.
"""

import collections

Kind = collections.namedtuple("Kind", "name share packages")

KINDS = [
    Kind("prose", 0.26, """
        anarchism wesnoth-1.16-data r-cran-janeaustenr debian-reference-en git-doc python3.11-doc dict-gcide postgresql-doc-15 debian-policy
        bash-doc fortunes vim-runtime debian-history apache2-doc perl-doc glibc-doc dict-foldoc
        developers-reference manpages-dev jargon-text dict-wn debian-faq cmake-data exim4-base
        mythes-en-us sqlite3-doc maint-guide ruby3.1-doc postfix-doc libgtk-3-doc tcl8.6-doc
        manpages miscfiles nodejs-doc binutils-doc gettext-doc mutt lynx-common sudo dict-jargon
        dict-vera dict-elements doc-debian python-django-doc postgis-doc bird-doc libglib2.0-doc
        """.split()),
    Kind("lang", 0.25, """
        debian-handbook wesnoth-1.16-data gnome-user-docs stardict-xmlittre fortunes-de fortunes-ru
        klavaro fortunes-zh manpages-de libreoffice-help-ru manpages-fr libreoffice-help-zh-cn debian-reference-ja
        libreoffice-help-es manpages-ru libreoffice-help-de manpages-zh manpages-es
        debian-reference-fr libreoffice-help-hi libreoffice-help-ko git manpages-pl
        libreoffice-help-el debian-reference-zh-tw manpages-ja gcc-12-locales libreoffice-help-pt-br
        manpages-it fortunes-es fortunes-it libreoffice-help-tr manpages-uk libreoffice-help-vi
        debian-reference-es manpages-pt-br installation-guide-amd64 libreoffice-help-ja manpages-cs
        debian-reference-it libreoffice-help-fr manpages-nl fortunes-pl fortunes-cs manpages-tr
        libreoffice-help-cs debian-reference-zh-cn libreoffice-help-pl debian-faq-ru debian-faq-fr
        maint-guide-ja manpages-hu manpages-da manpages-fi manpages-ro libreoffice-help-it
        """.split()),
    Kind("code", 0.28, """
        libpython3.11-stdlib gnulib golang-1.19-src rust-src openjdk-17-source linux-headers-common
        libboost1.74-dev perl-modules-5.36 node-typescript python3-django libruby3.1 wordpress
        libcgal-dev golang-golang-x-net-dev emacs-el python3-pandas autoconf automake node-lodash
        erlang-src libstdc++-12-dev mercurial-common librust-tokio-dev libkf5i18n-dev qtbase5-dev
        golang-google-protobuf-dev python3-twisted roundcube-core tcllib debhelper librust-syn-dev
        libwxgtk3.2-dev sbcl-source bash-completion elixir npm python3-sphinx phpmyadmin
        librust-clap-dev librust-libc-dev ruby-activerecord lua-penlight dkms python3-matplotlib
        ocaml-nox postgresql-server-dev-15 libgtest-dev libpoco-dev libqt5webkit5-dev
        librust-regex-syntax-dev librust-serde-dev libopencv-core-dev libvtk9-dev dokuwiki
        """.split()),
    Kind("data", 0.21, """
        mariadb-test-data unicode-cldr-core libstdc++-12-doc ansible unicode-data docbook-xsl
        python3-statsmodels qtbase5-doc-html tzdata pci.ids usb.ids publicsuffix breeze-icon-theme
        python3-botocore gdal-data python3-sklearn hwdata xkb-data shared-mime-info locales
        gnome-icon-theme librsvg2-doc cppreference-doc-en-html python3-nltk lintian osm2pgsql
        tigervnc-common golang-1.19-doc
        """.split()),
]
