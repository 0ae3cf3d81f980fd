"""Tokens, from the events of Ketch's parser and the indicators in the text between them."""

from __future__ import annotations

from .. import _ketch
from . import tokens
from ._patterns import LazyPattern
from .error import Mark, MarkedYAMLError
from .tokens import *  # noqa: F403
from .tokens import Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from .reader import Reader

__all__ = ["Scanner", "ScannerError"]


class ScannerError(MarkedYAMLError):
    """Invalid YAML."""


class Scanner:
    """Gives the tokens of a stream one by one."""

    def __init__(self) -> None:
        self._tokens: Iterator[Token] | None = None
        self._next_token: Token | None = None

    def check_token(self, *choices: type) -> bool:
        """Return whether there is a next token, of one of the classes if any are given."""
        token = self.peek_token()
        return token is not None and (not choices or isinstance(token, choices))

    def peek_token(self) -> Token | None:
        """Return the next token, and keep it; None after the last one."""
        if self._next_token is None:
            if self._tokens is None:
                self._tokens = _tokens(self)  # type: ignore[arg-type]
            self._next_token = next(self._tokens, None)
        return self._next_token

    def get_token(self) -> Token | None:
        """Return the next token; None after the last one."""
        token = self.peek_token()
        self._next_token = None
        return token


def _tokens(reader: Reader) -> Iterator[Token]:
    from .parser import invalid

    mark = reader._places.mark(0)
    yield tokens.StreamStartToken(mark, mark, reader.encoding)
    events, error = _ketch.events_until(reader._text)
    walk = _Walk(reader)
    for event in events:
        walk.event(event)
        if event[0] == "document_end":
            yield from walk.take()
    if error is not None:
        yield from walk.take()
        raise invalid(error, reader)
    walk.add(tokens.StreamEndToken, len(walk.data), len(walk.data))
    yield from walk.take()


#: What is between events: white space, comments, indicators.
_GAP = LazyPattern(rb"(?:[ \t\r\n]|\xef\xbb\xbf|#[^\r\n]*)*([-?:,])?")
_PROPERTY = LazyPattern(rb"(?:[ \t\r\n]|#[^\r\n]*[\r\n])*([&!][^ \t\r\n]*)")
_FLOW_PROPERTY = LazyPattern(rb"(?:[ \t\r\n]|#[^\r\n]*[\r\n])*(!<[^>]*>|[&!][^ \t\r\n,\[\]{}]*)")
_INDICATORS = {
    b"-": tokens.BlockEntryToken,
    b"?": tokens.KeyToken,
    b":": tokens.ValueToken,
    b",": tokens.FlowEntryToken,
}
_STYLES = {"plain": None, "single_quoted": "'", "double_quoted": '"', "literal": "|", "folded": ">"}


class _Frame:
    """An open collection."""

    def __init__(self, kind: str, start: int, ends_with_token: bool) -> None:
        self.kind, self.start, self.ends_with_token = kind, start, ends_with_token
        #: For a mapping: the number of nodes so far, and the position at which the token of the
        #: current key is inserted.
        self.count = 0
        self.key_at: tuple[int, int] | None = None


class _Walk:
    """Converts events to tokens."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.data = reader._text.encode("utf-8", "surrogatepass")
        self.at = 0
        self.frames: list[_Frame] = []
        self.out: list[Token] = []
        #: The number of block collections that end before the next token.
        self.ends = 0

    def take(self) -> list[Token]:
        out, self.out = self.out, []
        return out

    def mark(self, offset: int) -> Mark:
        return self.reader._places.mark(offset)

    def add(self, kind: type, start: int, end: int, *values: Any, **named: Any) -> None:
        """Add a token, after the ends of the block collections that end before it."""
        first, last = self.mark(start), self.mark(end)
        while self.ends:
            self.ends -= 1
            self.out.append(tokens.BlockEndToken(first, first))
        self.out.append(kind(*values, first, last, **named))
        self.at = max(self.at, end)

    def event(self, event: tuple[Any, ...]) -> None:
        kind, value, _, _, style, is_explicit, start, end, node_start = event
        if kind == "directive":
            self.add(tokens.DirectiveToken, start, end, *_directive(value))
        elif kind == "document_start":
            if is_explicit:
                self.add(tokens.DocumentStartToken, start, end)
        elif kind == "document_end":
            self.indicators(start)
            if is_explicit:
                self.add(tokens.DocumentEndToken, start, end)
        elif kind in ("sequence_end", "mapping_end"):
            self.end_collection(start, end)
        else:
            self.node(event)

    def node(self, event: tuple[Any, ...]) -> None:
        kind, value, anchor, tag, style, _, start, end, node_start = event
        self.indicators(node_start)
        frame = self.frames[-1] if self.frames else None
        if frame is not None and frame.kind.endswith("mapping"):
            is_key = frame.count % 2 == 0
            frame.count += 1
            is_there = end > start or node_start < start or kind.endswith("start")
            if is_key and is_there and frame.key_at is None:
                frame.key_at = (len(self.out) + self.ends, node_start)
        if node_start < start:
            self.properties(node_start, start)
        if kind == "alias":
            self.add(tokens.AliasToken, start, end, value)
        elif kind == "scalar":
            if end > start:
                value = self.reader._contents.get(start, value)
                self.add(tokens.ScalarToken, start, end, value, style == "plain", style=_STYLES[style])
        else:
            self.start_collection(kind.removesuffix("_start"), style == "flow", start, end)

    def indicators(self, until: int) -> None:
        """Add the indicators up to an offset."""
        while self.at < until:
            found = _GAP.match(self.data, self.at, until)
            if found is None or found[1] is None:
                self.at = until
                return
            self.indicator(found[1], found.start(1))

    def indicator(self, text: bytes, at: int) -> None:
        frame = self.frames[-1] if self.frames else None
        if text == b"?" and frame is not None:
            # An explicit key needs no other token.
            frame.key_at = (-1, at)
        elif text == b":" and frame is not None:
            if frame.key_at is not None and frame.key_at[0] >= 0:
                place, key_start = frame.key_at
                first = self.mark(key_start)
                self.out.insert(place, tokens.KeyToken(first, first))
            frame.key_at = None
        elif text == b"," and frame is not None:
            frame.key_at = None
        self.add(_INDICATORS[text], at, at + 1)

    def properties(self, start: int, until: int) -> None:
        in_flow = any(frame.kind.startswith("flow") for frame in self.frames)
        pattern = _FLOW_PROPERTY if in_flow else _PROPERTY
        while found := pattern.match(self.data, start, until):
            text, start = found[1].decode("utf-8", "replace"), found.end()
            if text[0] == "&":
                self.add(tokens.AnchorToken, found.start(1), start, text[1:])
            else:
                self.add(tokens.TagToken, found.start(1), start, _tag(text))

    def start_collection(self, kind: str, is_flow: bool, start: int, end: int) -> None:
        if is_flow:
            bracket = self.data[start : start + 1]
            # A pair in a flow sequence has no braces.
            is_there = bracket in (b"[", b"{") and (kind == "sequence") == (bracket == b"[")
            if is_there and end > start:
                one = tokens.FlowSequenceStartToken if kind == "sequence" else tokens.FlowMappingStartToken
                self.add(one, start, end)
            self.frames.append(_Frame("flow " + kind, start, is_there and end > start))
            return
        found = _GAP.match(self.data, start)
        first = start if found is None else found.start(1) if found[1] is not None else found.end()
        parent = self.frames[-1] if self.frames else None
        is_indentless = (
            kind == "sequence"
            and parent is not None
            and parent.kind == "block mapping"
            and self.column(first) == self.column(parent.start)
        )
        if not is_indentless:
            start_token = tokens.BlockSequenceStartToken if kind == "sequence" else tokens.BlockMappingStartToken
            self.add(start_token, first, first)
        self.frames.append(_Frame("block " + kind, first, not is_indentless))

    def column(self, offset: int) -> int:
        return offset - 1 - max(self.data.rfind(b"\n", 0, offset), self.data.rfind(b"\r", 0, offset))

    def end_collection(self, start: int, end: int) -> None:
        frame = self.frames.pop()
        if frame.kind.startswith("flow"):
            if frame.ends_with_token:
                # These are indicators of the collection itself, such as a trailing comma.
                self.frames.append(frame)
                self.indicators(start)
                self.frames.pop()
                is_sequence = frame.kind == "flow sequence"
                self.add(tokens.FlowSequenceEndToken if is_sequence else tokens.FlowMappingEndToken, start, end)
        elif frame.ends_with_token:
            self.ends += 1


def _directive(text: str) -> tuple[str, Any]:
    name, *values = text[1:].split()
    if name == "YAML" and values:
        return name, tuple(int(number) for number in values[0].split(".")[:2] if number.isdigit())
    return name, tuple(values[:2]) if name == "TAG" else None


def _tag(text: str) -> tuple[str | None, str]:
    """Return the handle and the rest of a tag."""
    if text.startswith("!<"):
        return None, text[2:].removesuffix(">")
    if text == "!":
        return None, text
    end = text.find("!", 1) + 1 or 1
    return text[:end], text[end:]
