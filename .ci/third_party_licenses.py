"""Prints the license texts of all crates that are linked into `nimatron`. Equal texts are printed once."""

import json
import pathlib
import subprocess

NAMES = ("license", "licence", "copying", "notice", "unlicense", "copyright")


def linked_packages(metadata):
    """Returns the packages that the server needs, without those for tests and builds."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    found, waiting = set(), [metadata["resolve"]["root"]]
    while waiting:
        package = waiting.pop()
        if package in found:
            continue
        found.add(package)
        for dependency in nodes[package]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    return [package for package in metadata["packages"] if package["id"] in found and package["source"]]


def license_texts(package):
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name.lower().startswith(NAMES))
    return [path.read_text(errors="replace").strip() for path in files]


def main():
    host = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    triple = next(line.split()[1] for line in host.splitlines() if line.startswith("host: "))
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", "src/server/Cargo.toml"]
    command += ["--features", "cluster", "--filter-platform", triple]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    texts, without = {}, []
    for package in sorted(linked_packages(metadata), key=lambda package: package["name"]):
        title = f"{package['name']} {package['version']} ({package['license']})"
        found = license_texts(package)
        if not found:
            without.append(title)
        for text in found:
            texts.setdefault(text, []).append(title)
    print("Licenses of the software that is part of the nimatron binary.\n")
    print("SQLite is in the public domain.\n")
    if without:
        print("These crates contain no license text; the license is the one that is named here:")
        print("\n".join(f"  {title}" for title in without))
    for text, titles in texts.items():
        print("\n" + "=" * 78)
        print("\n".join(titles))
        print("-" * 78)
        print(text)


main()
