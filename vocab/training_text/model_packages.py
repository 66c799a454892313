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
MEDIA_SUFFIXES = (".png .jpg .jpeg .gif .ogg .wav .mp3 .opus .flac .webp .ttf .otf .woff .woff2 .pdf .ps "
                  ".tif .tiff .pcap .pcapng .psd .xcf .blend .webm .ogv .jar .dds .b3d").split()
WORKERS = 4
NO_MEDIA = [f"--exclude=*{suffix}" for suffix in MEDIA_SUFFIXES]


def newest(versions):
    """The greatest of some version numbers, as dpkg compares them."""
    best = versions[0]
    for version in versions[1:]:
        if not subprocess.run(["dpkg", "--compare-versions", version, "gt", best],
                              check=False).returncode:
            best = version
    return best


def unpack_archive(file, folder):
    subprocess.run(["tar", "-x", "--no-same-owner", "--delay-directory-restore", "-f", file,
                    "-C", folder] + NO_MEDIA, stderr=subprocess.DEVNULL, check=False)


def unpack_inner_archives(folder):
    """Unpacks the archives below usr/src, where packages like linux-source keep what they are for."""
    for root, _, names in os.walk(os.path.join(folder, "usr", "src")):
        for name in names:
            if SOURCE_ARCHIVE.search(name):
                unpack_archive(os.path.join(root, name), root)
                os.remove(os.path.join(root, name))


class ModelPackageStore(PackageStore):
    """A package store that knows source packages and keeps what it has unpacked once."""

    def prepare(self, packages):
        """Downloads and unpacks packages, a few at a time."""
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as workers:
            for _ in workers.map(self.unpacked, dict.fromkeys(packages)):
                pass

    def _unpack(self, package, target):
        """Returns the version, or None."""
        is_source = package.startswith("src:")
        version = self._source_version(package[4:]) if is_source else self._binary_version(package)
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
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", file], stdout=subprocess.PIPE) as reader:
            subprocess.run(["tar", "-x", "--no-same-owner", "--delay-directory-restore", "-C", target] +
                           NO_MEDIA, stdin=reader.stdout, check=True)

    def _binary_version(self, package):
        versions = re.findall(r"(?m)^Version: (.*)$", output_of(
            ["apt-cache", "show", "--no-all-versions", package]))
        return versions[0] if versions else None

    def _source_version(self, package):
        versions = re.findall(r"(?m)^Version: (.*)$", output_of(
            ["apt-cache", "showsrc", "--only-source", package]))
        if not versions:
            self.log(f"no source in the archive: {package}")
        return newest(versions) if versions else None

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
