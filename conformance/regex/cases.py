"""The cases of the pools: searches with the answers that their authors expect.

testpy.py runs with a recording module in place of Onigmo. The C files are parsed, since they
consist of calls of four macros with literals.
"""

import io
import re
import sys
import types
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Case:
    """A search, and the expected span in bytes of one group: None if there is no match, ERROR if refused."""

    pool: str
    line: int
    pattern: bytes
    text: bytes
    expected: object
    group: int = 0
    operation: str = "find:0"
    # The reason why Ruby cannot run the case.
    foreign: str = ""

    @property
    def name(self):
        return f"{self.pool}:{self.line}"

    def request(self):
        return f"{self.pattern.hex()} {self.text.hex()} {self.operation}\n"


ERROR = "error"


class Names(types.ModuleType):
    """A module in which each name has a distinct value, and each function does nothing."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = NAMES.setdefault(name, Name(name))
        return value


class Name(str):
    def __call__(self, *arguments):
        return self

    def __or__(self, other):
        return Name(f"{self}|{other}")

    __and__ = __or__

    def __invert__(self):
        return self


NAMES = {}


def onigmo(path):
    """The cases of testpy.py in UTF-8, with `(?u)`, since it tests without ASCII_RANGE."""
    module = types.ModuleType("testpy")
    module.__dict__["ctypes"] = None
    source = Path(path).read_text(encoding="utf-8")
    recorded = []
    sys.modules["onigmo"] = Names("onigmo")
    source = source.replace("import ctypes\n", "ctypes = onigmo = __import__('onigmo')\n").replace("import onigmo\n", "\n")
    exec(compile(source, "testpy.py", "exec"), module.__dict__)

    def record(pattern, target, start, end, group, fails, **options):
        line = sys._getframe(2).f_lineno
        recorded.append(one(line, pattern, target, (start, end), group, fails, options))

    module.xx = record
    module.init = lambda *_: None
    module.get_encoding_name = str
    module.onig_encoding = NAMES.setdefault("ONIG_ENCODING_UTF8", Name("ONIG_ENCODING_UTF8"))
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        try:
            module.main()
        except SystemExit:
            pass
    return recorded


FOREIGN = {
    "opt": "an option that Ruby does not have",
    "syn": "the syntax of another language",
    "execerr": "a setting of the stack",
    "gpos": r"`\G` at another position than the search",
    "endpos": "a range of starts that ends early",
}


def one(line, pattern, target, span, group, fails, options):
    """One call in testpy.py. Positions are characters there."""
    def length(count):
        return len(target[:count].encode()) if isinstance(target, str) else count

    kind = options.pop("searchtype", 0)
    start = options.pop("startpos", 0)
    refused = options.pop("err", None)
    foreign = "; ".join(FOREIGN[name] for name in options)
    if options.get("syn") == "syntax_default":
        foreign = ""
    text = target if isinstance(target, bytes) else target.encode()
    try:
        source = pattern if isinstance(pattern, bytes) else pattern.encode()
        source.decode()
        text.decode()
    except UnicodeError:
        foreign, source = "not UTF-8", b""
    operation = {0: f"find:{length(start)}", 1: f"rfind:{len(text)}", 2: f"match:{length(start)}"}[kind]
    expected = ERROR if refused else None if fails else tuple(map(length, span))
    return Case("testpy.py", line, b"(?u)" + source, text, expected, group, operation, foreign)


CALL = re.compile(rb"^[ \t]*(x2|x3|n|e)\(", re.M)
TOKEN = re.compile(rb'\s*(?:"((?:[^"\\]|\\.)*)"|(-?\w+)|([,)]))', re.S)
ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]+)|(.))", re.S)
SIMPLE = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f", b"a": b"\a", b"b": b"\b", b"e": b"\x1b"}


def oniguruma(path):
    """The cases of a C file of Oniguruma; test_back.c searches backward."""
    name = Path(path).name
    source = Path(path).read_bytes()
    found = []
    for call in CALL.finditer(source):
        line = source.count(b"\n", 0, call.start(1)) + 1
        values = arguments(source, call.end())
        pattern, text = (value.split(b"\0")[0] for value in values[:2])
        numbers = [int(value) for value in values[2:] if re.fullmatch(rb"-?\d+", value)]
        operation = f"rfind:{len(text)}" if "back" in name else "find:0"
        macro = call[1]
        expected = ERROR if macro == b"e" else None if macro == b"n" else tuple(numbers[:2])
        group = numbers[2] if macro == b"x3" else 0
        foreign = "" if all(map(valid, (pattern, text))) else "not UTF-8"
        found.append(Case(name, line, pattern, text, expected, group, operation, foreign))
    return found


def valid(text):
    try:
        text.decode()
    except UnicodeError:
        return False
    return True


def arguments(source, at):
    """Return the arguments of a call. Adjacent literals are joined."""
    values, literal = [], None
    while token := TOKEN.match(source, at):
        at = token.end()
        if token[1] is not None:
            literal = (literal or b"") + ESCAPE.sub(unescape, token[1])
        elif token[2]:
            values.append(token[2])
        else:
            if literal is not None:
                values.append(literal)
            literal = None
            if token[3] == b")":
                return values
    raise SyntaxError(f"a call that is not understood, at byte {at}")


def unescape(escape):
    if escape[1]:
        return bytes([int(escape[1], 8) & 255])
    if escape[2]:
        return bytes([int(escape[2], 16) & 255])
    return SIMPLE.get(escape[3], escape[3])
