"""Downloads and unpacks Debian packages."""

import os
import re
import shutil
import subprocess
import tempfile
import zipfile


def output_of(command):
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def newest_kernel_headers():
    names = output_of(["apt-cache", "search", "--names-only",
                       r"^linux-headers-6\.1\.0-[0-9]+-common$"]).split("\n")
    packages = [line.split()[0] for line in names if line]
    return max(packages, key=lambda name: int(name.split("-")[3]), default=None)


class PackageStore:
    """A folder of downloaded packages, with what is in them under x/."""

    def __init__(self, folder, log):
        self.folder = folder
        self.log = log
        self.downloaded_bytes = 0
        self.versions = {}  # None: not to be had
        os.makedirs(folder, exist_ok=True)

    def unpacked(self, package):
        """Folder of the package's files, unpacked at its first use; None if apt lacks it."""
        if package == "linux-headers-common":
            package = newest_kernel_headers()
        target = os.path.join(self.folder, "x", str(package))
        if package not in self.versions:
            self.versions[package] = self._unpack(package, target) if package else None
        return target if self.versions[package] else None

    def _unpack(self, package, target):
        """Returns the version, or None."""
        fields = dict(re.findall(r"(?m)^(Version|Size): (.*)$", output_of(
            ["apt-cache", "show", "--no-all-versions", package])))
        version = fields.get("Version")
        if not version:
            self.log(f"not in the archive: {package}")
            return None
        file = os.path.join(self.folder, f"{package}_{version.replace(':', '%3a')}.deb")
        self.downloaded_bytes += int(fields.get("Size", 0))
        if not os.path.exists(file) and not self._download(package, file):
            self.log(f"cannot be downloaded: {package}")
            return None
        shutil.rmtree(target, ignore_errors=True)
        os.makedirs(target)
        self._extract(file, target)
        unpack_java_sources(target)
        return version

    def _extract(self, file, target):
        subprocess.run(["dpkg-deb", "-x", file, target], check=True)

    def _download(self, package, file):
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            result = subprocess.run(
                ["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", package],
                cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            packages = [name for name in os.listdir(folder) if name.endswith(".deb")]
            if result.returncode or not packages:
                return False
            os.rename(os.path.join(folder, packages[0]), file)
            return True

    def write_versions(self, path):
        with open(path, "w", encoding="utf-8") as file:
            for package, version in sorted(self.versions.items()):
                if version:
                    file.write(f"{package} {version}\n")


def unpack_java_sources(folder):
    for root, _, names in os.walk(folder):
        if "src.zip" in names:
            with zipfile.ZipFile(os.path.join(root, "src.zip")) as archive:
                archive.extractall(os.path.join(root, "src.zip.d"))
