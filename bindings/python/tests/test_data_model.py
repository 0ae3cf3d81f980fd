"""The rows of conformance/data-model.json: each value is the one of the data model."""

import datetime
import json
import struct

import ketch
import suite

EPOCH = datetime.datetime(1970, 1, 1)


def add(value, items):
    match value:
        case list() | tuple():
            items.append("[")
            for entry in value:
                add(entry, items)
            items.append("]")
        case dict():
            items.append("{")
            for pair in value.items():
                add(pair[0], items)
                add(pair[1], items)
            items.append("}")
        case ketch.Tagged():
            items.append(f"tag {value.tag}")
            add(value.value, items)
        case _:
            items.append(item(value))


def item(value):
    match value:
        case None:
            return "null"
        case bool():
            return f"bool {str(value).lower()}"
        case int():
            return f"{'int' if -(2**63) <= value < 2**63 else 'big'} {value}"
        case float():
            return f"float {struct.pack('>d', value).hex()}"
        case bytes():
            return f"binary {value.hex()}"
        case str():
            return f"str {value}"
        case datetime.datetime():
            return time(value)
    return f"timestamp {(value - EPOCH.date()).days * 86_400} 0 day"


def time(value):
    offset = value.utcoffset()
    since = value.replace(tzinfo=None) - (offset or datetime.timedelta()) - EPOCH
    zone = "none" if offset is None else int(offset.total_seconds()) // 60
    return f"timestamp {since.days * 86_400 + since.seconds} {since.microseconds * 1000} {zone}"


def test_values_are_those_of_the_data_model():
    rows = json.loads((suite.REPOSITORY / "conformance/data-model.json").read_text("utf-8"))
    refused = []
    count = 0
    for row in rows:
        if "yaml" not in row or "items" not in row:
            continue
        options = {"schema": row["schema"]} if "schema" in row else {}
        for more in ({}, {"max_nodes": 1_000_000}):
            try:
                values = ketch.loads_all(row["yaml"], **options, **more)
            except ketch.ConstructError as error:
                refused.append((row["yaml"], error.problem))
                continue
            items = []
            for value in values:
                add(value, items)
            assert items == row["items"], row["yaml"]
        count += 1
    assert count >= 63
    # The rows for which Python has no value.
    assert {problem.split(",")[0] for _, problem in refused} <= {
        "a mapping cannot be a key",
        "Python's times have microseconds",
        "Python supports only the years 1 to 9999",
    }, refused
