"""The examples of the READMEs and of the package's own documentation."""

import doctest
import inspect
import pydoc
from importlib import import_module

import ketch
import pytest
import suite
from ketch import extprot


@pytest.mark.parametrize(
    ("page", "least"),
    [
        ("README.md", 2),
        ("bindings/python/README.md", 8),
        ("docs/python-tour.md", 8),
        ("docs/editing.md", 8),
        ("docs/python.md", 4),
    ],
)
def test_examples_of_the_pages_run(page, least):
    path = suite.REPOSITORY / page
    # A fence is not part of an example's output.
    text = path.read_text("utf-8").replace("```python\n", "").replace("```\n", "")
    test = doctest.DocTestParser().get_doctest(text, {}, path.name, str(path), 0)
    assert len(test.examples) >= least
    assert doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(test).failed == 0


def test_examples_of_the_docstrings_run():
    modules = [import_module(f"ketch.{name}") for name in ("_edit", "_events", "_files", "_query")]
    for module in ketch, *modules, extprot, extprot.pure, extprot.types:
        assert doctest.testmod(module).failed == 0


def test_help_explains_every_public_name():
    for name in ketch.__all__:
        item = getattr(ketch, name)
        assert inspect.getdoc(item), name
        assert name in pydoc.render_doc(item)
        assert not name.endswith("_")
    assert "duplicate_keys='error'" in str(inspect.signature(ketch.loads))
