"""Errors, and marks, whose lines and columns are counted from 0."""

from __future__ import annotations

import bisect

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Mark", "MarkedYAMLError", "YAMLError"]


class Mark:
    """A location in a stream. Index, line and column are counted from 0, in characters."""

    name: str
    index: int
    line: int
    column: int
    #: The text, and the index of the location in it.
    buffer: str | None
    pointer: int

    def __init__(self, name: str, index: int, line: int, column: int, buffer: str | None, pointer: int) -> None:
        self.name, self.index, self.line, self.column = name, index, line, column
        self.buffer, self.pointer = buffer, pointer

    def get_snippet(self, indent: int = 4, max_length: int = 75) -> str | None:
        """Return the line of the mark, or the part of it near the mark, with a caret below the location."""
        if self.buffer is None:
            return None
        start = end = self.pointer
        head = tail = ""
        # The mark that a part is missing replaces the last five characters of the part that is shown.
        while start > 0 and self.buffer[start - 1] not in _BREAKS:
            start -= 1
            if self.pointer - start > max_length / 2 - 1:
                head, start = " ... ", start + 5
                break
        while end < len(self.buffer) and self.buffer[end] not in _BREAKS:
            end += 1
            if end - self.pointer > max_length / 2 - 1:
                tail, end = " ... ", end - 5
                break
        caret = " " * (indent + self.pointer - start + len(head)) + "^"
        return f"{' ' * indent}{head}{self.buffer[start:end]}{tail}\n{caret}"

    def __str__(self) -> str:
        snippet = self.get_snippet()
        where = f'  in "{self.name}", line {self.line + 1}, column {self.column + 1}'
        return where if snippet is None else f"{where}:\n{snippet}"


_BREAKS = "\0\r\n\x85\u2028\u2029"


class LazyMark(Mark):
    """A mark whose line and column are computed when they are needed."""

    def __init__(self, places: Places, offset: int) -> None:
        self._places, self._offset = places, offset
        # A program may give the loader another name later, for example while it reads another file.
        self.name = places.name

    def __getattr__(self, name: str) -> Any:
        if name not in ("index", "line", "column", "buffer", "pointer"):
            raise AttributeError(name)
        Mark.__init__(self, self.name, *self._places.locate(self._offset))
        return self.__dict__[name]

    def __reduce__(self) -> tuple[Any, ...]:
        return Mark, (self.name, self.index, self.line, self.column, self.buffer, self.pointer)


class Places:
    """Finds lines and columns in a text by offsets in bytes of its UTF-8 form."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name
        #: In PyYAML, the text that marks refer to ends with a NUL.
        self.buffer = text + "\0"
        self._data = None if text.isascii() else text.encode("utf-8", "surrogatepass")
        self._line_starts: list[int] | None = None
        self._last = (0, 0)

    def mark(self, offset: int) -> LazyMark:
        return LazyMark(self, offset)

    def offset(self, index: int) -> int:
        """Return the offset in bytes of the character at an index."""
        return index if self._data is None else len(self.text[:index].encode("utf-8", "surrogatepass"))

    def index(self, offset: int) -> int:
        """Return the index of the character at an offset in bytes."""
        if self._data is None:
            return offset
        start, index = self._last
        if start > offset:
            start = index = 0
        # Most marks are requested in order, so each part of the text is decoded only
        # once.
        index += len(self._data[start:offset].decode("utf-8", "replace"))
        self._last = (offset, index)
        return index

    def offset_near(self, index: int) -> int:
        """Return the offset of the character at an index, quickly if it is after the last one that was
        requested.
        """
        if self._data is None:
            return index
        offset, last = self._last
        if index < last:
            return self.offset(index)
        return offset + len(self.text[last:index].encode("utf-8", "surrogatepass"))

    def locate(self, offset: int) -> tuple[int, int, int, str, int]:
        """Return the arguments of the mark at an offset, except its name."""
        if self._line_starts is None:
            # Carriage returns, and the line breaks of YAML 1.1, also end lines.
            is_plain = self._data is None and "\r" not in self.text
            lines = self.text.split("\n") if is_plain else self.text.splitlines(keepends=True)
            self._line_starts = _sums(len(line) + is_plain for line in lines)
        index = self.index(offset)
        line = bisect.bisect_right(self._line_starts, index) - 1
        return index, line, index - self._line_starts[line], self.buffer, index


def _sums(lengths: Any) -> list[int]:
    starts = [0]
    for length in lengths:
        starts.append(starts[-1] + length)
    return starts


class YAMLError(Exception):
    """Any error of this package."""


class MarkedYAMLError(YAMLError):
    """An error at a location."""

    def __init__(
        self,
        context: str | None = None,
        context_mark: Mark | None = None,
        problem: str | None = None,
        problem_mark: Mark | None = None,
        note: str | None = None,
    ) -> None:
        super().__init__(context, context_mark, problem, problem_mark, note)
        self.context, self.context_mark = context, context_mark
        self.problem, self.problem_mark, self.note = problem, problem_mark, note

    def __str__(self) -> str:
        parts = [self.context]
        # The mark of the context is omitted if it adds nothing to the mark of the
        # problem.
        if self.context_mark is not None and (self.problem is None or not self._is_one_place()):
            parts.append(str(self.context_mark))
        parts.append(self.problem)
        if self.problem_mark is not None:
            parts.append(str(self.problem_mark))
        parts.append(self.note)
        return "\n".join(part for part in parts if part is not None)

    def _is_one_place(self) -> bool:
        one, other = self.context_mark, self.problem_mark
        if one is None or other is None:
            return False
        return (one.name, one.line, one.column) == (other.name, other.line, other.column)
