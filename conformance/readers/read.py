"""Reads documents with PyYAML or ruamel.yaml, and prints their values: read.py READER CASES.

Input and output are described in ../src/readers/notation.rs.
"""

import struct
import sys


def quoted(text):
    return '"' + "".join(c if c.isascii() and c.isalnum() else "%%%x;" % ord(c) for c in text)


def shown(value):
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return "i%d" % value
    if isinstance(value, float):
        return "nan" if value != value else "f" + struct.pack(">d", value).hex()
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return "[" + ",".join(map(shown, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(sorted(shown(k) + ":" + shown(v) for k, v in value.items())) + "}"
    return "?" + type(value).__name__ + quoted(str(value))


def pyyaml(loader):
    import yaml

    version = "PyYAML " + yaml.__version__
    if loader == "CSafeLoader":
        version += ", libyaml " + ".".join(map(str, yaml._yaml.get_version()))
    loader = getattr(yaml, loader)
    return (
        version,
        lambda text: yaml.load(text, Loader=loader),
        lambda text: list(yaml.load_all(text, Loader=loader)),
    )


def ruamel(kind, version):
    import ruamel.yaml

    def reader():
        yaml = ruamel.yaml.YAML(typ=kind, pure=True)
        yaml.version = version
        return yaml

    return (
        "ruamel.yaml " + ruamel.yaml.__version__,
        lambda text: reader().load(text),
        lambda text: list(reader().load_all(text)),
    )


READERS = {
    "pyyaml": lambda: pyyaml("SafeLoader"),
    "pyyaml-libyaml": lambda: pyyaml("CSafeLoader"),
    "ruamel-1.2": lambda: ruamel("safe", None),
    "ruamel-1.1": lambda: ruamel("safe", (1, 1)),
    "ruamel-round-trip": lambda: ruamel("rt", None),
}


def read(load, load_all, count, text):
    try:
        return ";".join(map(shown, load_all(text) if count > 1 else [load(text)]))
    except Exception as error:
        return "error " + " ".join(ascii(str(error)).split())


def main():
    version, load, load_all = READERS[sys.argv[1]]()
    sys.stdout.write(version + "\n")
    with open(sys.argv[2], "rb") as cases:
        for header in cases:
            count, length = map(int, header.split())
            text = cases.read(length)
            sys.stdout.write(read(load, load_all, count, text) + "\n")


main()
