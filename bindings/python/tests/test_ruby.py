"""Checks that Python and Ruby load the same values: both must write the same bytes of extprot."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import ketch
import pytest
from ketch import extprot
from suite import REPOSITORY, cases

GEM = REPOSITORY / "bindings/ruby/lib"
#: The real files that bench/corpus has fetched so far: all of them, some, or none.
CORPUS = sorted((REPOSITORY / "bench/out/corpus").glob("*.*"))
#: The cases with a mapping in a key, which Python cannot hash.
WITHOUT_VALUE = {"4FJ6.yaml", "9MMW.yaml", "M2N8-00.yaml", "M2N8-01.yaml", "Q9WF.yaml", "V9D5.yaml"}


#: bin/test, which compiles the extension and fetches files first, sets this: then nothing is skipped.
COMPLETE = "KETCH_TEST_COMPLETE" in os.environ
needs_ruby = pytest.mark.skipif(
    not COMPLETE and not ((GEM / "ketch/ketch.so").exists() and shutil.which("ruby")),
    reason="the extension of Ruby is not compiled: rake compile",
)


@needs_ruby
def test_extprot_bytes_of_the_suite_equal_those_of_ruby(tmp_path: Path):
    for case in cases():
        if not case.fail:
            (tmp_path / f"{case.id.replace('/', '-')}.yaml").write_text(case.yaml, encoding="utf-8", newline="")
    files = sorted(tmp_path.iterdir())
    assert len(files) > 300
    assert without_value(files) == WITHOUT_VALUE


@needs_ruby
@pytest.mark.skipif(not COMPLETE and not CORPUS, reason="no file of the corpus is there: bench/corpus fetches them")
def test_extprot_bytes_of_the_corpus_equal_those_of_ruby():
    assert CORPUS
    assert without_value(CORPUS) == set()


def without_value(files):
    """Compare the bytes of files, and return those whose values Python cannot represent."""
    script = Path(__file__).with_name("ruby_bytes.rb")
    names = json.dumps([str(file) for file in files])
    command = ["ruby", "-E", "UTF-8:UTF-8", "-I", GEM, script]
    ran = subprocess.run(command, input=names, capture_output=True, text=True, check=True)
    lines = ran.stdout.split("\n")[:-1]
    assert len(lines) == len(files)
    different, without = [], set()
    for file, line in zip(files, lines):
        try:
            made = extprot.dumps(ketch.loads_all(file.read_bytes())).hex()
        except ketch.ConstructError:
            if line:
                without.add(file.name)
                continue
            made = ""
        if made != line:
            different.append((file.name, made[:200], line[:200]))
    assert not different
    return without
