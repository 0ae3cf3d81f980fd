"""Tokens of a stream."""

from __future__ import annotations


from .error import Mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "AliasToken",
    "AnchorToken",
    "BlockEndToken",
    "BlockEntryToken",
    "BlockMappingStartToken",
    "BlockSequenceStartToken",
    "DirectiveToken",
    "DocumentEndToken",
    "DocumentStartToken",
    "FlowEntryToken",
    "FlowMappingEndToken",
    "FlowMappingStartToken",
    "FlowSequenceEndToken",
    "FlowSequenceStartToken",
    "KeyToken",
    "ScalarToken",
    "StreamEndToken",
    "StreamStartToken",
    "TagToken",
    "Token",
    "ValueToken",
]


class Token:
    """A piece of the text. ``id`` is its name in error messages."""

    id = "<token>"

    def __init__(self, start_mark: Mark, end_mark: Mark) -> None:
        self.start_mark, self.end_mark = start_mark, end_mark

    def __repr__(self) -> str:
        shown = (f"{key}={value!r}" for key, value in sorted(vars(self).items()) if not key.endswith("_mark"))
        return f"{type(self).__name__}({', '.join(shown)})"


class StreamStartToken(Token):
    id = "<stream start>"

    def __init__(self, start_mark: Mark, end_mark: Mark, encoding: str | None = None) -> None:
        super().__init__(start_mark, end_mark)
        self.encoding = encoding


class StreamEndToken(Token):
    id = "<stream end>"


class DirectiveToken(Token):
    id = "<directive>"

    def __init__(self, name: str, value: Any, start_mark: Mark, end_mark: Mark) -> None:
        super().__init__(start_mark, end_mark)
        self.name, self.value = name, value


class DocumentStartToken(Token):
    id = "<document start>"


class DocumentEndToken(Token):
    id = "<document end>"


class BlockSequenceStartToken(Token):
    id = "<block sequence start>"


class BlockMappingStartToken(Token):
    id = "<block mapping start>"


class BlockEndToken(Token):
    id = "<block end>"


class FlowSequenceStartToken(Token):
    id = "["


class FlowMappingStartToken(Token):
    id = "{"


class FlowSequenceEndToken(Token):
    id = "]"


class FlowMappingEndToken(Token):
    id = "}"


class KeyToken(Token):
    id = "?"


class ValueToken(Token):
    id = ":"


class BlockEntryToken(Token):
    id = "-"


class FlowEntryToken(Token):
    id = ","


class _ValuedToken(Token):
    def __init__(self, value: Any, start_mark: Mark, end_mark: Mark) -> None:
        super().__init__(start_mark, end_mark)
        self.value = value


class AliasToken(_ValuedToken):
    id = "<alias>"


class AnchorToken(_ValuedToken):
    id = "<anchor>"


class TagToken(_ValuedToken):
    """A tag. Its value consists of the handle and the rest of the tag."""

    id = "<tag>"


class ScalarToken(_ValuedToken):
    id = "<scalar>"

    def __init__(self, value: str, plain: bool, start_mark: Mark, end_mark: Mark, style: str | None = None) -> None:
        super().__init__(value, start_mark, end_mark)
        self.plain, self.style = plain, style
