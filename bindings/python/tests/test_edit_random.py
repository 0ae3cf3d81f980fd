"""Random calls on views, and the same on a dict and a list."""

import copy
import os
import random

import ketch

NEW = [1, "x y", None, [], {}, [1, {"k": "v"}], {"n": [True]}, "line\nline\n"]


def random_call(chance, value):
    """Return a path to a collection, and the name of one of its methods with arguments."""
    path, at = [], value
    while at and chance.random() < 0.6:
        key = chance.choice(list(at)) if isinstance(at, dict) else chance.randrange(len(at))
        if not isinstance(at[key], (dict, list)):
            break
        path.append(key)
        at = at[key]
    new = copy.deepcopy(chance.choice(NEW))
    if isinstance(at, dict):
        key = chance.choice([*at, "new", "other"])
        calls = [("__setitem__", key, new), ("__delitem__", key), ("pop", key, 0), ("__contains__", key), ("__len__",),
                 ("update", {key: new}), ("setdefault", key, new), ("get", key), ("popitem",)]
    else:
        index = chance.randrange(-len(at) - 1, len(at) + 1)
        calls = [("append", new), ("insert", index, new), ("pop", index), ("__delitem__", index), ("__setitem__", index, new),
                 ("extend", [new, 3]), ("__len__",), ("__getitem__", index), ("reverse",), ("index", new),
                 ("__setitem__", slice(index, None), [new]), ("__delitem__", slice(index, None))]
    return path, *chance.choice(calls)


def outcome(root, path, name, *arguments):
    for key in path:
        root = root[key]
    try:
        result = getattr(root, name)(*copy.deepcopy(arguments))
    except (LookupError, ValueError) as error:
        # A view may raise a kind of these.
        return next(kind for kind in (KeyError, IndexError, ValueError) if isinstance(error, kind))
    return result.value if isinstance(result, ketch.EditView) else result


def test_random_calls_act_as_on_a_dict_and_a_list():
    seed = int(os.environ.get("KETCH_SEED", "19"))
    chance = random.Random(seed)
    for number in range(int(os.environ.get("KETCH_COUNT", "20000")) // 100):
        value = {"m": {"a": 1, "b": [1, "x"]}, "l": ["p", {"q": None}, [2]], "s": "t"}
        edit = ketch.edit_text(ketch.dumps(value, flow=chance.random() < 0.5))
        log = []
        for _ in range(6):
            call = random_call(chance, value)
            log.append(call)
            expected = outcome(value, *call)
            assert (outcome(edit.root, *call), edit.value) == (expected, value), (seed, number, log)
        assert ketch.loads(edit.text) == value, (seed, number, log)
        assert list(edit) == list(value)
