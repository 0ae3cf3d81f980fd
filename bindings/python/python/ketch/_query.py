"""Programs in jq's language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from . import _ketch
from ._errors import QueryError

#: The texts of modules by their names, or a function that returns them.
Modules = Mapping[str, str] | Callable[[str], "str | None"]


class Query:
    """A compiled program, which any number of runs and threads may share.

    ``vars`` has the values of the program's variables, without ``$`` in their names. ``modules`` has the texts of
    the modules that it may import: a mapping, or a function that returns the text of a module by its name, or None.

    ``messages``: the program is written as messages, such as ``items map(price * qty) sum``.

    >>> import ketch
    >>> cheap = ketch.Query(".[] | select(.price < $max) | .name", vars={"max": 10})
    >>> list(cheap.run("[{name: rope, price: 9.5}, {name: sail, price: 120}]"))
    ['rope']

    Raises QueryError if the program is not valid.
    """

    __slots__ = ("_program",)

    def __init__(
        self,
        program: str,
        /,
        *,
        vars: Mapping[str, Any] | None = None,
        modules: Modules | None = None,
        messages: bool = False,
    ) -> None:
        variables = _ketch.dumps(dict(vars or {}))
        if not callable(modules):
            self._program = _ketch.QueryProgram(program, variables, _ketch.dumps(dict(modules or {})), messages)
            return
        texts: dict[str, str] = {}
        while True:
            try:
                self._program = _ketch.QueryProgram(program, variables, _ketch.dumps(texts), messages)
                return
            except QueryError as error:
                missing = error.missing_module
                text = None if missing is None or missing in texts else modules(missing)
                if missing is None or text is None:
                    raise
                texts[missing] = text

    def run(self, source: Any, /, **options: Any) -> Iterator[Any]:
        """Return an iterator over the results for a text, or for an open file, which is read as far as needed.

        Numbers that are not integers are of the class `decimal.Decimal`, or floats with ``floats=True``. Each
        document is an input of the program. The iterator has a method ``close``, which ends the run.

        ``strict``: a missing key or index is an error. ``format``: ``"json"`` reads JSON texts one after another.
        ``null_input``: the program runs once, with None, and asks for the documents by ``input`` and ``inputs``.
        ``slurp``: the documents are one list.
        ``max_steps`` (1,000,000,000 by default), ``max_frames``, ``max_digits``: limits of the program. The other
        options are those of `ketch.loads`.

        Raises QueryError, LimitError, and what `ketch.loads` raises. The results before an error are returned.
        """
        return self._program.run(source, options)

    def edit(self, text: str, /, **options: Any) -> str:
        """Return the text that the program makes of a text: it gets each document, and returns the new one. All
        bytes that it does not change stay as they are.

        >>> import ketch
        >>> ketch.Query('.image.tag = "1.10"').edit("image: {tag: '1.9'}   # pinned\\n")
        "image: {tag: '1.10'}   # pinned\\n"

        Takes the options of `run`. Raises EditError if the editor refuses the change.
        """
        return self._program.edit(text, options)


def query(
    source: Any,
    program: str,
    /,
    *,
    vars: Mapping[str, Any] | None = None,
    modules: Modules | None = None,
    messages: bool = False,
    **options: Any,
) -> Iterator[Any]:
    """Return an iterator over the results of a program in jq's language.

    >>> import ketch
    >>> list(ketch.query("a: [1, 2.50]", ".a[]"))
    [1, Decimal('2.50')]

    Takes what `Query` and its method `run` take.
    """
    return Query(program, vars=vars, modules=modules, messages=messages).run(source, **options)
