"""A program that type checkers must accept. `test` checks it; it does not run."""

import dataclasses
from typing import Any

import ketch
import ketch.yaml as yaml
from ketch.yaml import (
    BaseDumper,
    BaseLoader,
    CDumper,
    CFullLoader,
    CLoader,
    CSafeDumper,
    CSafeLoader,
    Dumper,
    FullLoader,
    Loader,
    MappingNode,
    Mark,
    MarkedYAMLError,
    Node,
    SafeDumper,
    SafeLoader,
    ScalarNode,
    SequenceNode,
    UnsafeLoader,
    YAMLError,
    YAMLObject,
)


class Lines(SafeLoader):
    def compose_node(self, parent: Node | None, index: Any) -> Node | None:
        node = super().compose_node(parent, index)
        assert isinstance(node, (ScalarNode, SequenceNode, MappingNode)) and isinstance(node.start_mark, Mark)
        return node


class Wide(yaml.SafeDumper):
    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


@dataclasses.dataclass
class Ship:
    name: str


def use() -> None:
    Lines.add_constructor("!upper", lambda loader, node: loader.construct_scalar(node).upper())
    yaml.add_representer(Ship, lambda dumper, ship: dumper.represent_scalar("!ship", ship.name), Dumper=Wide)
    for loader in BaseLoader, SafeLoader, FullLoader, Loader, UnsafeLoader, CSafeLoader, CFullLoader, CLoader:
        yaml.load("a: 1", Loader=loader)
    for dumper in BaseDumper, SafeDumper, Dumper, CSafeDumper, CDumper:
        yaml.dump(1, Dumper=dumper)
    try:
        ketch.yaml.safe_load("[")
    except MarkedYAMLError as error:
        print(error.problem_mark)
    except (YAMLError, ketch.InternalError):
        pass
    ship: Ship = ketch.loads("name: Ketch", type=Ship)
    print(ship.name, ketch.Tagged("!a", 1).tag, ketch.extprot.dumps(1), YAMLObject)
