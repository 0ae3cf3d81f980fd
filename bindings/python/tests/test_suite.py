"""Runs yaml-test-suite: compares events and values, and dumps and loads each value again."""

import base64
import io

import ketch
import pytest
import suite

CASES = suite.cases()
VALID = [case for case in CASES if not case.fail]
STYLES = {"plain": ":", "single_quoted": "'", "double_quoted": '"', "literal": "|", "folded": ">"}
ESCAPES = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\b": "\\b", "\r": "\\r"}
# Python has no mapping as a key.
WITH_MAPPING_AS_KEY = {"4FJ6", "9MMW", "M2N8/00", "M2N8/01", "Q9WF", "V9D5"}


def tree(text):
    """Return the events in the notation of the suite."""
    lines = ["+STR"]
    for event in ketch.events(text):
        properties = f" &{event.anchor}" if event.anchor else ""
        properties += f" <{event.tag}>" if event.tag else ""
        match event.kind:
            case "document_start":
                lines.append("+DOC ---" if event.explicit else "+DOC")
            case "document_end":
                lines.append("-DOC ..." if event.explicit else "-DOC")
            case "sequence_start":
                lines.append("+SEQ" + (" []" if event.style == "flow" else "") + properties)
            case "mapping_start":
                lines.append("+MAP" + (" {}" if event.style == "flow" else "") + properties)
            case "sequence_end":
                lines.append("-SEQ")
            case "mapping_end":
                lines.append("-MAP")
            case "alias":
                lines.append(f"=ALI *{event.value}")
            case "scalar":
                content = "".join(ESCAPES.get(char, char) for char in event.value)
                lines.append(f"=VAL{properties} {STYLES[event.style]}{content}")
    return "\n".join([*lines, "-STR"]) + "\n"


def as_json(value):
    """Return a value as JSON can represent it: without tags, and with text as keys."""
    match value:
        case list() | tuple():
            return [as_json(entry) for entry in value]
        case dict():
            return {"" if key is None else str(as_json(key)): as_json(entry) for key, entry in value.items()}
        case ketch.Tagged():
            return as_json(value.value)
        case bytes():
            return base64.b64encode(value).decode()
    return value


def outcome(load):
    """Return the values, or the message of the error. Objects that contain themselves are compared
    as text.
    """
    try:
        return repr(load())
    except ketch.Error as error:
        return str(error)


def test_events_are_those_of_the_suite():
    assert len(VALID) == 308
    for case in VALID:
        assert tree(case.yaml) == case.tree.rstrip("\n") + "\n", case.id


def test_values_are_those_of_the_suite():
    with_json = [case for case in VALID if case.json is not None]
    assert len(with_json) == 279
    for case in with_json:
        expected = suite.json_values(case.json)
        if case.id == "565N":
            # Binary values: JSON has the lines of the base 64 as they are.
            expected = [{key: text.replace("\n", "") for key, text in expected[0].items()}]
        assert as_json(ketch.loads_all(case.yaml)) == expected, case.id
        assert as_json(list(ketch.load_all(io.StringIO(case.yaml)))) == expected, case.id
        assert as_json(list(ketch.load_all(io.BytesIO(case.yaml.encode())))) == expected, case.id


def test_both_paths_return_the_same():
    for case in CASES:
        # Only the composer counts nodes, so events are not enough.
        composed = outcome(lambda: ketch.loads_all(case.yaml, max_nodes=1_000_000))
        assert outcome(lambda: ketch.loads_all(case.yaml)) == composed, case.id


def test_mappings_as_keys_are_refused_with_their_location():
    refused = set()
    for case in VALID:
        try:
            ketch.loads_all(case.yaml)
        except ketch.DuplicateKeyError:
            assert max(case.tree.count(line) for line in case.tree.splitlines()) > 1, case.id
        except ketch.ConstructError as error:
            assert error.line >= 1 and "mapping cannot be a key" in str(error), case.id
            refused.add(case.id)
    assert refused == WITH_MAPPING_AS_KEY


def test_errors_have_a_location():
    wrong = [case for case in CASES if case.fail]
    assert len(wrong) == 94
    for case in wrong:
        with pytest.raises(ketch.YamlSyntaxError) as caught:
            ketch.loads_all(case.yaml)
        assert caught.value.line >= 1 and caught.value.column >= 1, case.id
        message = outcome(lambda: list(ketch.load_all(io.StringIO(case.yaml))))
        assert str(caught.value) == message, case.id


def test_values_are_dumped_and_loaded_again():
    count = 0
    for case in VALID:
        try:
            values = ketch.loads_all(case.yaml)
        except ketch.ConstructError:
            continue
        assert repr(ketch.loads_all(ketch.dumps_all(values))) == repr(values), case.id
        count += 1
    assert count >= 290
