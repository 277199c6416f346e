#!/usr/bin/env python3
"""Compares --steer, --ablate and --capture of `whorl generate` with family_reference.py on a small model:

    python3 tests/models/check_hooks.py build/whorl FOLDER

Tokens must be the same, and what is captured within 1e-4. Prints ok and FAIL lines.
"""
import array
import json
import pathlib
import subprocess
import sys

import check_families
import family_reference
import make_families

WITHIN, MORE = 1e-4, 10
NAME = "qwen3_64_f32"
HEAD = "\x93NUMPY\x01\x00"


def write_npy(path, shape, values):
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    path.write_bytes(HEAD.encode("latin1") + len(head).to_bytes(2, "little") + head.encode() + array.array("f", values).tobytes())


def read_npy(path):
    data = path.read_bytes()
    size = int.from_bytes(data[8:10], "little")
    values = array.array("f", data[10 + size :])
    rows, columns = eval(data[10 : 10 + size].decode(), {})["shape"]  # a file that whorl wrote just now
    return [values[i * columns : (i + 1) * columns] for i in range(rows)]


def reference(path, steer, ablated):
    """Prompt, greedy tokens, what came out of each layer by position, and how far the second likeliest was away."""
    decoder, ids = family_reference.Decoder(*family_reference.read(path)), check_families.ids_of(check_families.PROMPT)
    decoder.steer, decoder.ablated = steer, ablated
    tokens, traces, margin, position = list(ids), [], 1e9, 0
    while len(tokens) < len(ids) + MORE:
        logits = decoder.step(tokens[position])
        traces.append(decoder.trace)
        position += 1
        if position == len(tokens):
            best, second = sorted(logits)[-1:-3:-1]
            margin = min(margin, best - second)
            tokens.append(logits.index(best))
    return tokens[len(ids) :], traces, margin


def main():
    whorl, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    path, failed = make_families.make(folder, NAME), False
    width = make_families.MODELS[NAME]["d"]
    vector = [(i * 7 % 13 - 6) / 8 for i in range(width)]
    write_npy(folder / "v.npy", (width,), vector)
    write_npy(folder / "rows.npy", (2, width), [2 * v for v in vector] + [0.0] * width)  # of the same mean
    cases = {
        "none": ([], {}, set()),
        "steer": (["--steer", f"layer=1,vector={folder}/v.npy,scale=1.5"], {1: [1.5 * v for v in vector]}, set()),
        "steer_mean": (["--steer", f"layer=0,vector={folder}/rows.npy", "--steer", f"scale=-2,layer=2,vector={folder}/v.npy"], {0: vector, 2: [-2 * v for v in vector]}, set()),
        "ablate": (["--ablate", "layer=0,head=2", "--ablate", "layer=2,head=0"], {}, {(0, 2), (2, 0)}),
        "both": (["--steer", f"layer=2,vector={folder}/v.npy", "--ablate", "layer=1,head=3"], {2: vector}, {(1, 3)}),
    }
    seen = set()
    for title, (options, steer, ablated) in cases.items():
        tokens, traces, margin = reference(path, steer, ablated)
        seen.add(tuple(tokens))
        for device in ("cpu", "gpu"):
            command = [whorl, "generate", path, check_families.PROMPT, "-n", str(MORE), "--device", device, "-q", "--json", folder / "hooks.json", *options]
            command += ["--capture", f"layer=0,out={folder}/first.npy", "--capture", f"layer=2,out={folder}/last.npy"]
            run = subprocess.run(command, capture_output=True, text=True)
            wrong = run.stderr.strip()[:300] if run.returncode else "two tokens are too close" if margin < 10 * WITHIN else ""
            if not wrong:
                got = json.loads((folder / "hooks.json").read_text())
                wrong = "" if got["tokens"] == tokens and not got["fell_back"] else f"tokens {got['tokens']}, not {tokens}"
            for layer, name in ((0, "first"), (2, "last")):
                rows = [] if wrong else read_npy(folder / f"{name}.npy")
                if not wrong and len(rows) != len(traces):
                    wrong = f"{len(rows)} rows of layer {layer}, not {len(traces)}"
                if any(not abs(a - b) <= WITHIN for row, trace in zip(rows, traces) for a, b in zip(row, trace[layer])):
                    wrong = f"layer {layer} is not what was expected"
            failed |= bool(wrong)
            print(f"FAIL hooks.{title}.{device}: {wrong}" if wrong else f"ok hooks.{title}.{device}")
    failed |= len(seen) < len(cases)
    print("ok hooks.differ" if len(seen) == len(cases) else "FAIL hooks.differ: an intervention changed no token")
    sys.exit(failed)


if __name__ == "__main__":
    main()
