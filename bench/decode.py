#!/usr/bin/env python3
"""Tokens a second of the decoder at Qwen2.5-0.5B's shape, for a GPU machine that is there for minutes.

    python3 bench/decode.py [--out FILE] [--budget SECONDS] [--shape qwen2.5-0.5b|tiny] [--forms f16,q8,q4] [--folder FOLDER]

It makes models with random weights from a seed (nothing is fetched), and runs `whorl bench decode` on them: each form of the
matrices, one text and eight side by side at contexts of 64 and 512, prompts of 511 tokens, one dispatch (`single`) against
fused loops (`steps`). What matters most comes first; what the budget leaves no time for is named. FILE is written after
each step: medians, least and most, all samples.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import random
import statistics
import struct
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "models"))
import make_families  # noqa: E402
from results import without_place  # noqa: E402

SHAPES = {
    "qwen2.5-0.5b": dict(family="qwen2", layers=24, d=896, heads=14, kv=2, hd=64, ffn=4864, vocab=151936, theta=1e6, tied=True, contexts=(64, 512)),
    "tiny": dict(family="qwen2", layers=2, d=128, heads=4, kv=2, hd=32, ffn=160, vocab=512, theta=1e6, tied=True, contexts=(24,)),
}
# of the matrices in the layers, and of the embedding, as llama.cpp's quantiser has them at this width
FORMS = {"f16": ("F16", "F16"), "q8": ("Q8_0", "Q8_0"), "q4": ("Q4_0", "Q8_0")}
BLOCKS = {"F32": (1, 4), "F16": (1, 2), "Q8_0": (32, 34), "Q4_0": (32, 18)}
SPREAD = 0.02  # standard deviation of the weights


# ---- models ----

def random_blocks(kind, rng):
    """Some hundred kilobytes of random blocks, of which every tensor is made. Their number is odd, so that rows differ."""
    if kind == "F16":
        return struct.pack("<100003e", *(rng.gauss(0, SPREAD) for _ in range(100003)))
    deviation = {"Q8_0": 73.9, "Q4_0": 4.61}[kind]  # of whole numbers of 8 and 4 bits that are all as likely
    scale = struct.pack("<e", SPREAD / deviation)
    return b"".join(scale + rng.randbytes(BLOCKS[kind][1] - 2) for _ in range(9973))


class Stream:
    """The random blocks again and again."""

    def __init__(self, blocks):
        self.blocks, self.at = blocks, 0

    def write(self, file, size):
        while size:
            part = self.blocks[self.at : self.at + size]
            file.write(part)
            size -= len(part)
            self.at = (self.at + len(part)) % len(self.blocks)


def tensors_of(m, kinds):
    q, kv, layer, words = m["heads"] * m["hd"], m["kv"] * m["hd"], *kinds
    yield "token_embd.weight", words, (m["vocab"], m["d"])
    for l in range(m["layers"]):
        for name, rows, columns in (("attn_q", q, m["d"]), ("attn_k", kv, m["d"]), ("attn_v", kv, m["d"]), ("attn_output", m["d"], q),
                                    ("ffn_gate", m["ffn"], m["d"]), ("ffn_up", m["ffn"], m["d"]), ("ffn_down", m["d"], m["ffn"])):
            yield f"blk.{l}.{name}.weight", layer, (rows, columns)
        for name, size in (("attn_q", q), ("attn_k", kv), ("attn_v", kv)):
            yield f"blk.{l}.{name}.bias", "F32", (size,)
        for name in ("attn_norm", "ffn_norm"):
            yield f"blk.{l}.{name}.weight", "F32", (m["d"],)
    yield "output_norm.weight", "F32", (m["d"],)


def write_model(path, m, form, seed):
    rng, entries, at = random.Random(f"{form} {seed}"), [], 0
    streams = {kind: Stream(random_blocks(kind, rng)) for kind in sorted(set(FORMS[form]))}
    for name, kind, shape in tensors_of(m, FORMS[form]):
        block, size = BLOCKS[kind]
        count = 1
        for extent in shape:
            count *= extent
        entries.append((name, kind, shape, at, count // block * size))
        at += -(-entries[-1][4] // 32) * 32
    values = [(key, value) for key, value in make_families.metadata(m) if not key.endswith("context_length")]
    values.append((f"{m['family']}.context_length", make_families.value_of(32768)))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(entries), len(values))
    head += b"".join(make_families.text(key) + value for key, value in values)
    for name, kind, shape, offset, _ in entries:
        head += make_families.text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *reversed(shape), make_families.CODES[kind], offset)
    with path.open("wb") as file:
        file.write(head + bytes(-len(head) % 32))
        for name, kind, shape, _, size in entries:
            if kind == "F32":
                file.write(struct.pack("<f", 0.0 if "bias" in name else 1.0) * shape[0])
            else:
                streams[kind].write(file, size)
            file.write(bytes(-size % 32))


# ---- measuring ----

def plan(forms):
    """(form, texts, strategy), what matters most first."""
    for texts, strategy in ((1, "single"), (8, "single"), (1, "steps"), (8, "steps")):
        for form in forms:
            yield form, texts, strategy


def first_words(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "it said nothing"


def measure(whorl, path, texts, strategy, contexts, limit, more):
    """The document of `whorl bench decode`, or why there is none."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [whorl, "bench", "decode", str(path), "--strategy", strategy, "--texts", str(texts), "--context", ",".join(map(str, contexts)),
                   "--max-time", str(round(limit, 1)), "--json", out.name, *more]
        try:
            run = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=limit + 10)
        except subprocess.TimeoutExpired:
            return f"no answer within {limit + 10:.0f} s"
        if run.returncode:
            return first_words(run.stderr)
        return json.loads(pathlib.Path(out.name).read_text())


def row_of(form, texts, row):
    prompt, samples = "prompt_ms" in row, row["samples"]
    what = "prompt" if prompt else "one token a call" if row["tokens_a_call"] == 1 else f"{row['tokens_a_call']} tokens a call"
    kept = ("bytes_a_token", "gbps", "share_of_probe", "dispatches_a_token", "fell_back", "prompt_ms", "samples")
    return {"form": form, "texts": texts, "strategy": row["strategy"], "what": what, "context": row["context"],
            "tokens_per_s": statistics.median(samples), "least": min(samples), "most": max(samples), **{k: row[k] for k in kept if k in row}}


def show(row):
    rate = f"{row['tokens_per_s']:9.1f} tok/s ({row['least']:.1f} to {row['most']:.1f})"
    rest = f", {row['prompt_ms']:.1f} ms" if "prompt_ms" in row else f", {100 * row['share_of_probe']:.0f}% of the probe" if "share_of_probe" in row else ""
    print(f"{row['form']:4} {row['texts']} text{'s' if row['texts'] > 1 else ' '} {row['strategy']:6} {row['context']:4} {row['what']:18} {rate}{rest}"
          + (" FELL BACK" if row["fell_back"] else ""), flush=True)


def commit():
    if "WHORL_COMMIT" in os.environ:  # of a program that was built elsewhere
        return os.environ["WHORL_COMMIT"]
    run = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    return run.stdout.strip() or None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, help="the JSON file (none)")
    parser.add_argument("--budget", type=float, default=140, help="seconds for everything (140)")
    parser.add_argument("--shape", choices=SHAPES, default="qwen2.5-0.5b")
    parser.add_argument("--forms", default=",".join(FORMS), help="of matrices (f16,q8,q4)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=pathlib.Path, help="for the models: 1.9 GB at the large shape (a temporary one)")
    parser.add_argument("--whorl", default=str(ROOT / "build" / "whorl"))
    parser.add_argument("--device", help="as whorl takes it")
    o = parser.parse_args()
    begin, m = time.monotonic(), SHAPES[o.shape]
    forms = o.forms.split(",")
    for form in forms:
        if form not in FORMS:
            parser.error(f"there is no form {form}: {', '.join(FORMS)}")
    left = lambda: o.budget - (time.monotonic() - begin)
    result = {"command": "decode.py", "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "commit": commit(),
              "machine": platform.platform(), "shape": {"name": o.shape, **m}, "seed": o.seed, "device": None, "probe_gbps": None, "rows": [], "not_measured": []}

    def write():
        result["took_s"] = round(time.monotonic() - begin, 1)
        if o.out:
            o.out.write_text(json.dumps(result, indent=1) + "\n")

    if o.folder:
        os.makedirs(o.folder, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=o.folder) as work:
        paths = {form: pathlib.Path(work) / f"{form}.gguf" for form in forms}
        slowest = 0.0
        for form, texts, strategy in plan(forms):
            step, before = f"{form}, {texts} texts, {strategy}", time.monotonic()
            if left() < 1.1 * slowest + 2:
                result["not_measured"].append({"step": step, "why": "the budget is spent"})
                continue
            if not paths[form].exists():
                write_model(paths[form], m, form, o.seed)
            found = measure(o.whorl, paths[form], texts, strategy, m["contexts"], max(left(), 5), ["--device", o.device] if o.device else [])
            slowest = max(slowest, time.monotonic() - before)
            if isinstance(found, str):
                result["not_measured"].append({"step": step, "why": found})
                print(f"{step}: {found}", flush=True)
            else:
                result["device"] = {**found["device"], "library": without_place(found["device"]["library"])}
                result["probe_gbps"] = found["probe_gbps"]
                for row in found["rows"]:
                    result["rows"].append({**row_of(form, texts, row), "weights": found["form"], "weights_bytes": found["weights_bytes"]})
                    show(result["rows"][-1])
            write()
    write()
    for step in result["not_measured"]:
        print(f"not measured: {step['step']}: {step['why']}")
    print(f"{len(result['rows'])} rows in {result['took_s']} s")
    return 0 if result["rows"] else 1


if __name__ == "__main__":
    sys.exit(main())
