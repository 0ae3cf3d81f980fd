"""Lets ketch.yaml replace PyYAML."""

from __future__ import annotations

import importlib
import pkgutil
import sys


def replace_pyyaml() -> None:
    """Make `import yaml` import `ketch.yaml` from now on, for modules that use PyYAML.

    Raises RuntimeError if PyYAML was imported before, since modules may still refer to
    it.
    """
    import ketch.yaml

    present = sys.modules.get("yaml")
    if present is ketch.yaml:
        return
    if present is not None:
        raise RuntimeError("yaml was imported already; call ketch.replace_pyyaml() before anything imports it")
    for module in pkgutil.iter_modules(ketch.yaml.__path__):
        if not module.name.startswith("_"):
            name = f"ketch.yaml.{module.name}"
            sys.modules[f"yaml.{module.name}"] = importlib.import_module(name)
    sys.modules["yaml"] = ketch.yaml
