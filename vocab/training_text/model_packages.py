"""Source packages ("src:NAME") beside binary ones, and what is packed inside of packages.

apt needs a deb-src line for source packages. Only what their authors released is used, without Debian's
changes; pictures and sounds are not unpacked.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import tempfile

from training_text.packages import PackageStore, output_of

SOURCE_ARCHIVE = re.compile(r"(?<!\.debian)\.tar\.(gz|xz|bz2|lzma)$")
MEDIA_SUFFIXES = (".png .jpg .jpeg .gif .ogg .wav .mp3 .opus .flac .webp .ttf .otf .woff .woff2 "
                  ".pdf .ps "
                  ".tif .tiff .pcap .pcapng .psd .xcf .blend .webm .ogv .jar .dds .b3d").split()
WORKERS = 4
UNPACK = (["tar", "-x", "--no-same-owner", "--delay-directory-restore"] +
          [f"--exclude=*{suffix}" for suffix in MEDIA_SUFFIXES])


def newest(versions):
    """The greatest of some version numbers, as dpkg compares them."""
    best = versions[0]
    for version in versions[1:]:
        comparison = ["dpkg", "--compare-versions", version, "gt", best]
        if version != best and not subprocess.run(comparison, check=False).returncode:
            best = version
    return best


def unpack_archive(file, folder):
    subprocess.run(UNPACK + ["-C", folder, "-f", file], stderr=subprocess.DEVNULL, check=False)


def unpack_inner_archives(folder):
    """Unpacks the archives below usr/src, where packages like linux-source keep what they are for."""
    for root, _, names in os.walk(os.path.join(folder, "usr", "src")):
        for name in names:
            if SOURCE_ARCHIVE.search(name):
                unpack_archive(os.path.join(root, name), root)
                os.remove(os.path.join(root, name))


class ModelPackageStore(PackageStore):
    """A package store that knows source packages and keeps what it has unpacked once.

    Packages are to be announced with prepare() before they are used.
    """

    def __init__(self, folder, log):
        super().__init__(folder, log)
        self.newest_versions = {}

    def prepare(self, packages):
        """Downloads and unpacks packages, a few at a time."""
        packages = list(dict.fromkeys(packages))
        self._look_up([package for package in packages if not package.startswith("src:")],
                      ["apt-cache", "show", "--no-all-versions"], "")
        self._look_up([package[4:] for package in packages if package.startswith("src:")],
                      ["apt-cache", "showsrc", "--only-source"], "src:")
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as workers:
            for _ in workers.map(self.unpacked, packages):
                pass

    def _look_up(self, packages, command, prefix):
        """Finds the newest versions of many packages with one call of apt."""
        for paragraph in output_of(command + packages).split("\n\n"):
            fields = dict(re.findall(r"(?m)^(Package|Version): (.*)$", paragraph))
            if len(fields) == 2:
                package = prefix + fields["Package"]
                known = self.newest_versions.get(package, fields["Version"])
                self.newest_versions[package] = newest([known, fields["Version"]])

    def _unpack(self, package, target):
        """Returns the version, or None."""
        is_source = package.startswith("src:")
        version = self._version(package)
        note = target + ".version"
        if version and os.path.exists(note):
            with open(note, encoding="utf-8") as file:
                if file.read() == version:
                    return version
        if not is_source:
            version = super()._unpack(package, target)
            unpack_inner_archives(target)
        elif version and not self._unpack_source(package[4:], version, target):
            version = None
        if version:
            with open(note, "w", encoding="utf-8") as file:
                file.write(version)
        return version

    def _extract(self, file, target):
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", file],
                              stdout=subprocess.PIPE) as reader:
            subprocess.run(UNPACK + ["-C", target], stdin=reader.stdout, check=True)

    def _version(self, package):
        if package not in self.newest_versions and not package.startswith("src:"):
            self._look_up([package], ["apt-cache", "show", "--no-all-versions"], "")
        if package not in self.newest_versions:
            self.log(f"not in the archive: {package}")
        return self.newest_versions.get(package)

    def _unpack_source(self, package, version, target):
        """Whether the released archives of a source package could be unpacked."""
        folder = os.path.join(self.folder, f"{package}_{version.replace(':', '%3a')}.src")
        if not os.path.exists(folder) and not self._download_source(f"{package}={version}", folder):
            self.log(f"source cannot be downloaded: {package}")
            return False
        self.downloaded_bytes += sum(entry.stat().st_size for entry in os.scandir(folder))
        shutil.rmtree(target, ignore_errors=True)
        os.makedirs(target)
        for name in sorted(os.listdir(folder)):
            if SOURCE_ARCHIVE.search(name):
                unpack_archive(os.path.join(folder, name), target)
        return True

    def _download_source(self, package, target):
        """Whether all released archives are there; Debian's changes may be missing."""
        command = ["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "source", "--download-only",
                   "--only-source"]
        wanted = re.findall(r"' (\S+) \d", output_of(command + ["--print-uris", package]))
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            subprocess.run(command + [package], cwd=folder, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, check=False)
            if not all(os.path.exists(os.path.join(folder, name))
                       for name in wanted if SOURCE_ARCHIVE.search(name)):
                return False
            shutil.copytree(folder, target)
            return True
