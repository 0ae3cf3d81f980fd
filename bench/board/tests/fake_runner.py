"""A runner whose engines are named after what is wrong with them."""

import json
import os
import signal
import sys
import time

SECONDS = {"slow": 0.002, "fast": 0.0005}


def answer(request, slots):
    do, engine = request["do"], slots.get(request.get("slot"), "")
    if do == "hello":
        return {"protocol": 2 if "--other" in sys.argv else 1, "host": "fake", "engines": {"ketch": "1"}}
    if do == "prepare":
        slots[request["slot"]] = request["engine"]
        return {"unable": "cannot"} if request["engine"] == "unable" else {}
    if do == "verify":
        if "write" in request:
            with open(request["write"], "w") as file:
                file.write("a: 1\nb: " + ("3" if engine == "wrong" else "2") + "\n")
        return {"digest": "other" if engine == "wrong" else "same", "bytes": 120, "zstd_bytes": 60}
    if do == "run":
        if engine == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if engine == "hangs":
            time.sleep(60)
        if engine == "garbage":
            print("no JSON", flush=True)
            return None
        if engine == "fails":
            return {"error": "does not work"}
        seconds = SECONDS.get(engine, 0.001) * request["times"]
        return {"user": seconds, "system": 0.0, "real": seconds, "allocated": None, "peak": 1}
    return {}


def main():
    slots = {}
    for line in sys.stdin:
        found = answer(json.loads(line), slots)
        if found is not None:
            print(json.dumps(found), flush=True)


main()
