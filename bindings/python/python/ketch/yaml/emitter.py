"""Writes events as text, in the layout of PyYAML."""

from __future__ import annotations

import re

from ._patterns import LazyPattern
from .error import YAMLError
from .events import *  # noqa: F403
from .events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
    StreamStartEvent,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["Emitter", "EmitterError", "ScalarAnalysis"]

_BREAKS = "\n\x85\u2028\u2029"
_SPACE = "\0 \t\r" + _BREAKS
#: Runs of spaces, of line breaks, and of other characters.
_PIECES = LazyPattern(f" +|[{_BREAKS}]+|[^ {_BREAKS}]+")
_ESCAPES = {
    "\0": "0", "\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", "\x1b": "e",
    '"': '"', "\\": "\\", "\x85": "N", "\xa0": "_", "\u2028": "L", "\u2029": "P",
}  # fmt: skip
#: The characters that need an escape, without and with `allow_unicode`.
_ESCAPED = {
    False: LazyPattern(r'[^ !#-\[\]-~]'),
    True: LazyPattern(r'[^ !#-\[\]-~\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]'),
}
#: The characters that only double quotes can contain, without and with `allow_unicode`.
_SPECIAL = {
    False: LazyPattern(r"[^\n -~]"),
    True: LazyPattern("[^\n -~\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010fffe]"),
}
#: The same for libyaml.
SPECIAL_FOR_LIBYAML = {**_SPECIAL, True: LazyPattern("[^\n -~\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd]")}
_FLOW_START = set("#,[]{}&*!|>'\"%@`?:")
_BLOCK_START = set("#,[]{}&*!|>'\"%@`")
_FLOW_INSIDE = LazyPattern(f"[,?\\[\\]{{}}:]|(?<=[{_SPACE}])#")
_BLOCK_INSIDE = LazyPattern(f":(?=[{_SPACE}]|$)|(?<=[{_SPACE}])#")


class EmitterError(YAMLError):
    """Events in an invalid order, or a name that cannot be written."""


class ScalarAnalysis:
    """The styles that are possible for a text. Dumpers of programs change the attributes."""

    def __init__(
        self,
        scalar: str,
        empty: bool,
        multiline: bool,
        allow_flow_plain: bool,
        allow_block_plain: bool,
        allow_single_quoted: bool,
        allow_double_quoted: bool,
        allow_block: bool,
    ) -> None:
        self.scalar, self.empty, self.multiline = scalar, empty, multiline
        self.allow_flow_plain, self.allow_block_plain = allow_flow_plain, allow_block_plain
        self.allow_single_quoted, self.allow_double_quoted = allow_single_quoted, allow_double_quoted
        self.allow_block = allow_block


def best_indent(indent: int | None) -> int:
    """Return the number of columns of a level, for the option ``indent``."""
    return indent if indent and 1 < indent < 10 else 2


def best_width(width: float | None, indent: int) -> float:
    """Return the length of lines, for the option ``width``."""
    return width if width and width > indent * 2 else 80


class Emitter:
    """Writes events to a stream."""

    DEFAULT_TAG_PREFIXES = {"!": "!", "tag:yaml.org,2002:": "!!"}

    #: Whether a plain scalar as the root needs an end marker, whether a scalar with a tag can be plain, and which
    #: characters need double quotes. PyYAML's CDumper, which uses libyaml, differs.
    _after_plain_root: bool | str = True
    _tagged_plain = False
    _special = _SPECIAL

    def __init__(
        self,
        stream: Any,
        canonical: bool | None = None,
        indent: int | None = None,
        width: float | None = None,
        allow_unicode: bool | None = None,
        line_break: str | None = None,
    ) -> None:
        self.stream = stream
        self.encoding: str | None = None
        self.canonical = canonical
        self.allow_unicode = allow_unicode
        self.best_indent = best_indent(indent)
        self.best_width = best_width(width, self.best_indent)
        self.best_line_break = line_break if line_break in ("\r", "\n", "\r\n") else "\n"
        #: The steps that follow after the open collections; the step for the innermost one is last.
        self.states: list[Callable[[], None]] = []
        self.state: Callable[[], None] = self.expect_stream_start
        #: The events that wait until the events after them are known.
        self.events: list[Any] = []
        self.event: Any = None
        self.indents: list[int | None] = []
        self.indent: int | None = None
        self.flow_level = 0
        self.root_context = self.sequence_context = self.mapping_context = self.simple_key_context = False
        self.line = self.column = 0
        #: Whether the last character was white space, and whether the line contains only indentation and
        #: indicators.
        self.whitespace = self.indention = True
        #: Whether the document needs an end marker before the end of the stream; with "plain", only before a
        #: directive.
        self.open_ended: bool | str = False
        self.tag_prefixes: dict[str, str] = {}
        self.prepared_anchor: str | None = None
        self.prepared_tag: str | None = None
        self.analysis: ScalarAnalysis | None = None
        self.style: str | None = None

    def dispose(self) -> None:
        """Drop all pending steps."""
        self.states, self.state = [], self.expect_nothing

    def emit(self, event: Any) -> None:
        """Write an event, or keep it until the events on which its layout depends are known."""
        self.events.append(event)
        while not self.need_more_events():
            self.event = self.events.pop(0)
            self.state()
            self.event = None

    def need_more_events(self) -> bool:
        """Return whether the next event cannot be written yet, because its layout depends on the events that
        follow it.
        """
        if not self.events:
            return True
        ahead = {DocumentStartEvent: 1, SequenceStartEvent: 2, MappingStartEvent: 3}
        count = next((count for kind, count in ahead.items() if isinstance(self.events[0], kind)), 0)
        if len(self.events) > count:
            return False
        depth = 0
        for event in self.events:
            depth += isinstance(event, (DocumentStartEvent, CollectionStartEvent))
            depth -= isinstance(event, (DocumentEndEvent, CollectionEndEvent))
            if isinstance(event, StreamEndEvent) or (depth == 0 and count):
                return False
        return count > 0

    # Streams and documents.

    def expect_stream_start(self) -> None:
        if not isinstance(self.event, StreamStartEvent):
            raise EmitterError(f"expected StreamStartEvent, but got {self.event}")
        if self.event.encoding and not hasattr(self.stream, "encoding"):
            self.encoding = self.event.encoding
        self.write_stream_start()
        self.state = self.expect_first_document_start

    def expect_nothing(self) -> None:
        raise EmitterError(f"expected nothing, but got {self.event}")

    def expect_first_document_start(self) -> None:
        self.expect_document_start(first=True)

    def expect_document_start(self, first: bool = False) -> None:
        if isinstance(self.event, StreamEndEvent):
            if self.open_ended is True:
                self._marker("...")
            self.write_stream_end()
            self.state = self.expect_nothing
            return
        event = self.event
        if not isinstance(event, DocumentStartEvent):
            raise EmitterError(f"expected DocumentStartEvent, but got {event}")
        if (event.version or event.tags) and self.open_ended:
            self._marker("...")
        self._write_directives(event)
        needs_marker = event.explicit or event.version or event.tags or not first
        if needs_marker or self.canonical or self.check_empty_document():
            self.write_indent()
            self.write_indicator("---", True)
            if self.canonical:
                self.write_indent()
        self.state = self.expect_document_root

    def _marker(self, text: str) -> None:
        self.write_indicator(text, True)
        self.write_indent()

    def _write_directives(self, event: Any) -> None:
        if event.version:
            self.write_version_directive(self.prepare_version(event.version))
        self.tag_prefixes = dict(self.DEFAULT_TAG_PREFIXES)
        for handle, prefix in sorted((event.tags or {}).items()):
            self.tag_prefixes[prefix] = handle
            self.write_tag_directive(self.prepare_tag_handle(handle), self.prepare_tag_prefix(prefix))

    def expect_document_end(self) -> None:
        if not isinstance(self.event, DocumentEndEvent):
            raise EmitterError(f"expected DocumentEndEvent, but got {self.event}")
        self.write_indent()
        if self.event.explicit:
            self._marker("...")
        self.flush_stream()
        self.state = self.expect_document_start

    def expect_document_root(self) -> None:
        self.states.append(self.expect_document_end)
        self.expect_node(root=True)

    # Nodes.

    def expect_node(
        self, root: bool = False, sequence: bool = False, mapping: bool = False, simple_key: bool = False
    ) -> None:
        self.root_context, self.sequence_context = root, sequence
        self.mapping_context, self.simple_key_context = mapping, simple_key
        event = self.event
        if isinstance(event, AliasEvent):
            self.expect_alias()
            return
        if not isinstance(event, (ScalarEvent, CollectionStartEvent)):
            raise EmitterError(f"expected NodeEvent, but got {event}")
        self.process_anchor("&")
        self.process_tag()
        if isinstance(event, ScalarEvent):
            self.expect_scalar()
            return
        is_sequence = isinstance(event, SequenceStartEvent)
        is_empty = self.check_empty_sequence() if is_sequence else self.check_empty_mapping()
        if self.flow_level or self.canonical or event.flow_style or is_empty:
            self.expect_flow_sequence() if is_sequence else self.expect_flow_mapping()
        else:
            self.expect_block_sequence() if is_sequence else self.expect_block_mapping()

    def expect_alias(self) -> None:
        if self.event.anchor is None:
            raise EmitterError("anchor is not specified for alias")
        self.process_anchor("*")
        self.state = self.states.pop()

    def expect_scalar(self) -> None:
        self.increase_indent(flow=True)
        self.process_scalar()
        self._end_collection()

    def _end_collection(self) -> None:
        self.indent = self.indents.pop()
        self.state = self.states.pop()

    # Flow collections.

    def expect_flow_sequence(self) -> None:
        self._start_flow("[")
        self.state = self.expect_first_flow_sequence_item

    def expect_flow_mapping(self) -> None:
        self._start_flow("{")
        self.state = self.expect_first_flow_mapping_key

    def _start_flow(self, bracket: str) -> None:
        self.write_indicator(bracket, True, whitespace=True)
        self.flow_level += 1
        self.increase_indent(flow=True)

    def expect_first_flow_sequence_item(self) -> None:
        self._flow_item(SequenceEndEvent, "]", self._flow_sequence_item, is_first=True)

    def expect_flow_sequence_item(self) -> None:
        self._flow_item(SequenceEndEvent, "]", self._flow_sequence_item, is_first=False)

    def expect_first_flow_mapping_key(self) -> None:
        self._flow_item(MappingEndEvent, "}", self._flow_mapping_key, is_first=True)

    def expect_flow_mapping_key(self) -> None:
        self._flow_item(MappingEndEvent, "}", self._flow_mapping_key, is_first=False)

    def _flow_item(self, end: type, bracket: str, write: Callable[[], None], is_first: bool) -> None:
        is_end = isinstance(self.event, end)
        if not is_first and (not is_end or self.canonical):
            self.write_indicator(",", False)
        if is_end:
            self.flow_level -= 1
            indent = self.indents.pop()
            if self.canonical and not is_first:
                self.indent = indent
                self.write_indent()
            self.indent = indent
            self.write_indicator(bracket, False)
            self.state = self.states.pop()
            return
        self._break_long_line()
        write()

    def _break_long_line(self) -> None:
        if self.canonical or self.column > self.best_width:
            self.write_indent()

    def _flow_sequence_item(self) -> None:
        self.states.append(self.expect_flow_sequence_item)
        self.expect_node(sequence=True)

    def _flow_mapping_key(self) -> None:
        if not self.canonical and self.check_simple_key():
            self.states.append(self.expect_flow_mapping_simple_value)
            self.expect_node(mapping=True, simple_key=True)
        else:
            self.write_indicator("?", True)
            self.states.append(self.expect_flow_mapping_value)
            self.expect_node(mapping=True)

    def expect_flow_mapping_simple_value(self) -> None:
        self.write_indicator(":", False)
        self.states.append(self.expect_flow_mapping_key)
        self.expect_node(mapping=True)

    def expect_flow_mapping_value(self) -> None:
        self._break_long_line()
        self.write_indicator(":", True)
        self.states.append(self.expect_flow_mapping_key)
        self.expect_node(mapping=True)

    # Block collections.

    def expect_block_sequence(self) -> None:
        # A sequence that is the value of a key is indented like the key, unless it starts on the line of the key.
        self.increase_indent(flow=False, indentless=self.mapping_context and not self.indention)
        self.state = self.expect_first_block_sequence_item

    def expect_first_block_sequence_item(self) -> None:
        self.expect_block_sequence_item(first=True)

    def expect_block_sequence_item(self, first: bool = False) -> None:
        if not first and isinstance(self.event, SequenceEndEvent):
            self._end_collection()
            return
        self.write_indent()
        self.write_indicator("-", True, indention=True)
        self.states.append(self.expect_block_sequence_item)
        self.expect_node(sequence=True)

    def expect_block_mapping(self) -> None:
        self.increase_indent(flow=False)
        self.state = self.expect_first_block_mapping_key

    def expect_first_block_mapping_key(self) -> None:
        self.expect_block_mapping_key(first=True)

    def expect_block_mapping_key(self, first: bool = False) -> None:
        if not first and isinstance(self.event, MappingEndEvent):
            self._end_collection()
            return
        self.write_indent()
        if self.check_simple_key():
            self.states.append(self.expect_block_mapping_simple_value)
            self.expect_node(mapping=True, simple_key=True)
        else:
            self.write_indicator("?", True, indention=True)
            self.states.append(self.expect_block_mapping_value)
            self.expect_node(mapping=True)

    def expect_block_mapping_simple_value(self) -> None:
        self.write_indicator(":", False)
        self.states.append(self.expect_block_mapping_key)
        self.expect_node(mapping=True)

    def expect_block_mapping_value(self) -> None:
        self.write_indent()
        self.write_indicator(":", True, indention=True)
        self.states.append(self.expect_block_mapping_key)
        self.expect_node(mapping=True)

    # Checks that determine the layout.

    def check_empty_sequence(self) -> bool:
        return isinstance(self.event, SequenceStartEvent) and self._is_followed_by(SequenceEndEvent)

    def check_empty_mapping(self) -> bool:
        return isinstance(self.event, MappingStartEvent) and self._is_followed_by(MappingEndEvent)

    def _is_followed_by(self, kind: type) -> bool:
        return bool(self.events) and isinstance(self.events[0], kind)

    def check_empty_document(self) -> bool:
        if not isinstance(self.event, DocumentStartEvent) or not self._is_followed_by(ScalarEvent):
            return False
        event = self.events[0]
        return event.anchor is None and event.tag is None and bool(event.implicit) and event.value == ""

    def check_simple_key(self) -> bool:
        """Return whether the next node, as a key, is short enough to be written in one line before a colon.
        """
        event = self.event
        length = 0
        if isinstance(event, NodeEvent) and event.anchor is not None:
            if self.prepared_anchor is None:
                self.prepared_anchor = self.prepare_anchor(event.anchor)
            length += len(self.prepared_anchor)
        if isinstance(event, (ScalarEvent, CollectionStartEvent)) and event.tag is not None:
            if self.prepared_tag is None:
                self.prepared_tag = self.prepare_tag(event.tag)
            length += len(self.prepared_tag)
        if isinstance(event, ScalarEvent):
            analysis = self._analyzed()
            length += len(analysis.scalar)
            return length < 128 and not analysis.empty and not analysis.multiline
        is_short = isinstance(event, AliasEvent) or self.check_empty_sequence() or self.check_empty_mapping()
        return length < 128 and is_short

    def _analyzed(self) -> ScalarAnalysis:
        if self.analysis is None:
            self.analysis = self.analyze_scalar(self.event.value)
        return self.analysis

    # Properties and scalars.

    def process_anchor(self, indicator: str) -> None:
        if self.event.anchor is not None:
            if self.prepared_anchor is None:
                self.prepared_anchor = self.prepare_anchor(self.event.anchor)
            self.write_indicator(indicator + self.prepared_anchor, True)
        self.prepared_anchor = None

    def process_tag(self) -> None:
        event = self.event
        tag = event.tag
        if isinstance(event, ScalarEvent):
            if self.style is None:
                self.style = self.choose_scalar_style()
            is_implied = event.implicit[0] if self.style == "" else event.implicit[1]
            if tag is None and event.implicit[0] and not is_implied:
                # In quotes, the scalar would be read as a str.
                tag, self.prepared_tag = "!", None
        else:
            is_implied = event.implicit
        if is_implied and (not self.canonical or event.tag is None):
            self.prepared_tag = None
            return
        if tag is None:
            raise EmitterError("tag is not specified")
        if self.prepared_tag is None:
            self.prepared_tag = self.prepare_tag(tag)
        if self.prepared_tag:
            self.write_indicator(self.prepared_tag, True)
        self.prepared_tag = None

    def choose_scalar_style(self) -> str:
        """Return the style of the event if it is possible for the text, and otherwise the next possible
        style.
        """
        analysis, event = self._analyzed(), self.event
        if event.style == '"' or self.canonical:
            return '"'
        if not event.style and (event.implicit[0] or (self._tagged_plain and not event.implicit[1])):
            is_key_in_lines = self.simple_key_context and (analysis.empty or analysis.multiline)
            allowed = analysis.allow_flow_plain if self.flow_level else analysis.allow_block_plain
            if allowed and not is_key_in_lines:
                return ""
        if event.style and event.style in "|>" and not self.flow_level and not self.simple_key_context:
            if analysis.allow_block:
                return str(event.style)
        if (not event.style or event.style == "'") and analysis.allow_single_quoted:
            if not (self.simple_key_context and analysis.multiline):
                return "'"
        return '"'

    def process_scalar(self) -> None:
        text = self._analyzed().scalar
        if self.style is None:
            self.style = self.choose_scalar_style()
        split = not self.simple_key_context
        if self.style == '"':
            self.write_double_quoted(text, split)
        elif self.style == "'":
            self.write_single_quoted(text, split)
        elif self.style == ">":
            self.write_folded(text)
        elif self.style == "|":
            self.write_literal(text)
        else:
            self.write_plain(text, split)
        self.analysis = self.style = None

    def prepare_version(self, version: tuple[int, int]) -> str:
        if version[0] != 1:
            raise EmitterError(f"unsupported YAML version: {version[0]}.{version[1]}")
        return f"{version[0]}.{version[1]}"

    def prepare_tag_handle(self, handle: str) -> str:
        if not handle:
            raise EmitterError("tag handle must not be empty")
        if not re.fullmatch("!(?:[-0-9A-Za-z_]*!)?", handle):
            raise EmitterError(f"a tag handle starts and ends with '!', with letters and digits between: {handle!r}")
        return handle

    def prepare_tag_prefix(self, prefix: str) -> str:
        if not prefix:
            raise EmitterError("tag prefix must not be empty")
        return _percent(prefix)

    def prepare_tag(self, tag: str) -> str:
        """Return a tag in the form in which it is written: with the handle of its prefix, or verbatim."""
        if not tag:
            raise EmitterError("tag must not be empty")
        if tag == "!":
            return tag
        handle, suffix = None, tag
        for prefix in sorted(self.tag_prefixes):
            if tag.startswith(prefix) and (prefix == "!" or len(prefix) < len(tag)):
                handle, suffix = self.tag_prefixes[prefix], tag[len(prefix) :]
        if handle is None:
            return f"!<{_percent(suffix)}>"
        suffix = _percent(suffix)
        return handle + (suffix.replace("!", "%21") if handle == "!" else suffix)

    def prepare_anchor(self, anchor: str) -> str:
        if not anchor:
            raise EmitterError("anchor must not be empty")
        if not all(character.isalnum() or character in "-_" for character in anchor):
            raise EmitterError(f"an anchor has letters, digits, '-' and '_' only: {anchor!r}")
        return anchor

    def analyze_scalar(self, scalar: str) -> ScalarAnalysis:
        """Return the styles that are possible for a text."""
        if not scalar:
            return ScalarAnalysis(scalar, True, False, False, True, True, True, False)
        first, is_separated = scalar[0], len(scalar) == 1 or scalar[1] in _SPACE
        is_marker = scalar.startswith(("---", "..."))
        starts_as_entry = first == "-" and is_separated
        no_flow = is_marker or first in _FLOW_START or starts_as_entry or _FLOW_INSIDE.search(scalar, 1)
        no_block = is_marker or first in _BLOCK_START or starts_as_entry or _BLOCK_INSIDE.search(scalar, 1)
        starts_as_key = first in "?:" and is_separated
        is_multiline = any(character in scalar for character in _BREAKS)
        is_padded = first in " " + _BREAKS or scalar[-1] in " " + _BREAKS
        is_special = self._special[bool(self.allow_unicode)].search(scalar) is not None
        space_break = is_multiline and re.search(f" [{_BREAKS}]", scalar) is not None
        break_space = is_multiline and re.search(f"[{_BREAKS}] ", scalar) is not None
        only_quoted = is_special or space_break
        plain = not (is_padded or break_space or only_quoted or is_multiline)
        return ScalarAnalysis(
            scalar=scalar,
            empty=False,
            multiline=is_multiline,
            allow_flow_plain=plain and not no_flow,
            allow_block_plain=plain and not (no_block or starts_as_key),
            allow_single_quoted=not (break_space or only_quoted),
            allow_double_quoted=True,
            allow_block=not (scalar[-1] == " " or only_quoted),
        )

    # Writing.

    def flush_stream(self) -> None:
        if hasattr(self.stream, "flush"):
            self.stream.flush()

    def write_stream_start(self) -> None:
        if self.encoding and self.encoding.startswith("utf-16"):
            self.stream.write("\ufeff".encode(self.encoding))

    def write_stream_end(self) -> None:
        self.flush_stream()

    def _write(self, data: str) -> None:
        self.column += len(data)
        self.stream.write(data.encode(self.encoding) if self.encoding else data)

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        self.indents.append(self.indent)
        if self.indent is None:
            self.indent = self.best_indent if flow else 0
        elif not indentless:
            self.indent += self.best_indent

    def write_indicator(
        self, indicator: str, need_whitespace: bool, whitespace: bool = False, indention: bool = False
    ) -> None:
        needs_space = need_whitespace and not self.whitespace
        self.whitespace = whitespace
        self.indention = self.indention and indention
        self.open_ended = False
        self._write(" " + indicator if needs_space else indicator)

    def write_indent(self) -> None:
        """Write indentation, on a new line if the current one contains more than indentation and indicators.
        """
        indent = self.indent or 0
        if not self.indention or self.column > indent or (self.column == indent and not self.whitespace):
            self.write_line_break()
        if self.column < indent:
            self.whitespace = True
            self._write(" " * (indent - self.column))

    def write_line_break(self, data: str | None = None) -> None:
        self.whitespace = self.indention = True
        self._write(self.best_line_break if data is None else data)
        self.line += 1
        self.column = 0

    def write_version_directive(self, version_text: str) -> None:
        self._write(f"%YAML {version_text}")
        self.write_line_break()

    def write_tag_directive(self, handle_text: str, prefix_text: str) -> None:
        self._write(f"%TAG {handle_text} {prefix_text}")
        self.write_line_break()

    def _write_breaks(self, breaks: str) -> None:
        for character in breaks:
            self.write_line_break(None if character == "\n" else character)

    def write_single_quoted(self, text: str, split: bool = True) -> None:
        self.write_indicator("'", True)
        for found in _PIECES.finditer(text):
            piece = found[0]
            if piece[0] in _BREAKS:
                self._write_folded_breaks(piece)
            elif piece == " " and self._folds(split) and 0 < found.start() and found.end() < len(text):
                self.write_indent()
            else:
                self._write(piece.replace("'", "''"))
        self.write_indicator("'", False)

    def write_plain(self, text: str, split: bool = True) -> None:
        if self.root_context:
            self.open_ended = self._after_plain_root
        if not text:
            return
        if not self.whitespace:
            self._write(" ")
        self.whitespace = self.indention = False
        for found in _PIECES.finditer(text):
            piece = found[0]
            if piece[0] in _BREAKS:
                self._write_folded_breaks(piece)
            elif piece == " " and self._folds(split):
                self.write_indent()
            else:
                self._write(piece)
                continue
            self.whitespace = self.indention = False

    def _folds(self, split: bool) -> bool:
        return split and self.column > self.best_width

    def _write_folded_breaks(self, breaks: str) -> None:
        # One line break would be folded into a space, so the first one is written twice.
        if breaks[0] == "\n":
            self.write_line_break()
        self._write_breaks(breaks)
        self.write_indent()

    def write_double_quoted(self, text: str, split: bool = True) -> None:
        self.write_indicator('"', True)
        needs_escape = _ESCAPED[bool(self.allow_unicode)].match
        start = 0
        for end, character in enumerate(text):
            if needs_escape(character):
                self._write(text[start:end] + _escape(character))
                start = end + 1
            is_place = character == " " or start >= end
            if split and is_place and 0 < end < len(text) - 1 and self.column + end - start > self.best_width:
                self._write(text[start:end] + "\\")
                start = max(start, end)
                self.write_indent()
                self.whitespace = self.indention = False
                if text[start] == " ":
                    self._write("\\")
        self._write(text[start:])
        self.write_indicator('"', False)

    def determine_block_hints(self, text: str) -> str:
        """Return the indicators of a block scalar: its indentation if that cannot be detected, and the
        chomping.
        """
        if not text:
            return ""
        hints = str(self.best_indent) if text[0] in " " + _BREAKS else ""
        if text[-1] not in _BREAKS:
            return hints + "-"
        return hints + "+" if len(text) == 1 or text[-2] in _BREAKS else hints

    def _start_block_scalar(self, indicator: str, text: str) -> None:
        hints = self.determine_block_hints(text)
        self.write_indicator(indicator + hints, True)
        if hints.endswith("+"):
            self.open_ended = True
        self.write_line_break()

    def write_literal(self, text: str) -> None:
        self._start_block_scalar("|", text)
        pieces = re.findall(f"[{_BREAKS}]+|[^{_BREAKS}]+", text)
        if pieces and pieces[0][0] not in _BREAKS:
            self.write_indent()
        for index, piece in enumerate(pieces):
            if piece[0] in _BREAKS:
                self._write_breaks(piece)
                if index + 1 < len(pieces):
                    self.write_indent()
            else:
                self._write(piece)
        if not text or text[-1] not in _BREAKS:
            self.write_line_break()

    def write_folded(self, text: str) -> None:
        self._start_block_scalar(">", text)
        pieces = _PIECES.findall(text)
        if pieces and pieces[0][0] not in _BREAKS:
            self.write_indent()
        # Lines that start with a space are not folded, nor are line breaks before the first line.
        is_indented = True
        for index, piece in enumerate(pieces):
            following = pieces[index + 1] if index + 1 < len(pieces) else ""
            if piece[0] in _BREAKS:
                if not is_indented and following and following[0] != " " and piece[0] == "\n":
                    self.write_line_break()
                is_indented = following.startswith(" ")
                self._write_breaks(piece)
                if following:
                    self.write_indent()
            elif piece == " " and self.column > self.best_width:
                self.write_indent()
            else:
                self._write(piece)
            if index == 0 and piece[0] not in _BREAKS:
                is_indented = piece[0] == " "
        if not text or text[-1] not in _BREAKS:
            self.write_line_break()


def _percent(text: str) -> str:
    """Return a tag in which each byte of other characters is written as `%` and two digits."""
    return re.sub(
        r"[^-0-9A-Za-z;/?:@&=+$,_.~*'()\[\]!]",
        lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()),
        text,
    )


def _escape(character: str) -> str:
    if character in _ESCAPES:
        return "\\" + _ESCAPES[character]
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"
