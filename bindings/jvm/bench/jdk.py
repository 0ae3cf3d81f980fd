"""Finds out what a JDK is, and how to start it."""

import platform
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Java:
    """The JDK in a folder, or the one on the PATH."""

    def __init__(self, home: str | None) -> None:
        self.program = str(Path(home, "bin/java")) if home else "java"
        shown = subprocess.run([self.program, "-XshowSettings:properties", "-version"], capture_output=True, text=True, check=True)
        properties = dict(line.strip().split(" = ", 1) for line in shown.stderr.splitlines() if " = " in line.strip())
        self.version = properties["java.version"]
        release = int(properties["java.specification.version"])
        #: Flags that keep the JDK from warning about the native library, and about JMH.
        self.flags = ["--enable-native-access=ALL-UNNAMED"] if release >= 22 else []
        self.flags += ["--sun-misc-unsafe-memory-access=allow"] if release >= 24 else []
        self.classes = ["-cp", f"{HERE}/target/classes:{HERE}/target/dependency/*"]


def processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.processor())
