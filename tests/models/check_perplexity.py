#!/usr/bin/env python3
"""Compares `whorl perplexity` with family_reference.py, on small models and texts.

    python3 tests/models/check_perplexity.py build/whorl FOLDER

The mean of negative logarithms may differ by 2e-5. Prints ok and FAIL lines.
"""
import json
import math
import pathlib
import subprocess
import sys

import check_families
import family_reference
import make_families

TEXTS = {
    "text": "the rain in spain, and then the sun: an inn, 7 hens & a pan in the end",
    # windows that begin alike keep what was computed of them
    "repeats": "an inn, " * 8,
}
CASES = [("llama3_bf16", "text", 24, 10, "cpu"), ("llama3_bf16", "text", 24, 24, "gpu"), ("qwen3_64_q4_k.gguf", "text", 256, 128, "cpu"), ("qwen2_head_f16", "repeats", 18, 6, "cpu"), ("qwen2_head_f16", "repeats", 18, 3, "gpu")]


def reference(config, tensors, ids, window, stride):
    """(mean of negative logarithms, how many): each token in the first window that holds it and a token before it."""
    nats = {}
    for begin in range(0, len(ids), stride):
        decoder, part = family_reference.Decoder(config, tensors), ids[begin : begin + window]
        for i, token in enumerate(part[:-1]):
            logits = decoder.step(token)
            top = max(logits)
            whole = top + math.log(sum(math.exp(x - top) for x in logits))
            nats.setdefault(begin + i + 1, whole - logits[part[i + 1]])
        if begin + window >= len(ids):
            break
    return sum(nats.values()) / len(nats), len(nats)


def main():
    whorl, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    failed = False
    for name, kind, window, stride, device in CASES:
        path = make_families.make(folder, name)
        (folder / "text.txt").write_text(TEXTS[kind])
        command = [whorl, "perplexity", path, folder / "text.txt", "--context", str(window), "--stride", str(stride), "--device", device, "-q", "--json", folder / "score.json"]
        run = subprocess.run(command, capture_output=True, text=True)
        title = f"perplexity.{name}.{kind}.{window}.{stride}.{device}"
        if run.returncode:
            failed = True
            print(f"FAIL {title}: {run.stderr.strip()[:300]}")
            continue
        got = json.loads((folder / "score.json").read_text())
        want, count = reference(*family_reference.read(path), check_families.ids_of(TEXTS[kind]), window, stride)
        right = abs(got["nats_a_token"] - want) < 2e-5 and got["scored"] == count and abs(float(run.stdout.split()[1]) / math.exp(want) - 1) < 1e-4 and not got["fell_back"]
        failed |= not right
        print(f"ok {title}" if right else f"FAIL {title}: {got['nats_a_token']} over {got['scored']} tokens, not {want} over {count}; {run.stdout[:60]!r}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
