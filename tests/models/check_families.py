#!/usr/bin/env python3
"""Runs every model of make_families.py with whorl and with family_reference.py, and compares logits and greedy tokens.

    python3 tests/models/check_families.py build/tests/logits_driver build/whorl FOLDER [NAME...]

FOLDER gets the models. WITHIN is what a logit may differ by: whorl computes in 32-bit floats, the reference in 64-bit ones,
both with the numbers that whorl makes of a model's matrices. Where the two likeliest tokens are closer than that, no
greedy token could be said to be wrong; so a model of which that is true is a FAIL, too. Prints ok and FAIL lines.
"""
import json
import subprocess
import struct
import sys

import family_reference
import make_families

WITHIN = 6e-5
PROMPT, MORE = "the rain in spain, and", 24
WAYS = {"cpu": ("cpu", "cpu"), "single": ("gpu", "single"), "steps": ("gpu", "steps"), "eager": ("gpu", "eager")}
# each form of file on the CPU and in one dispatch; the other strategies for some of them
EVERYWHERE = ("llama_linear_f16", "qwen3_64_f32", "llama_q4_0.gguf")
# made to 8 or 4 bits when they are loaded: from floats, from rows in pairs, from blocks of 256
QUANTISED = ("llama_linear_f16", "llama_q4_k.gguf", "qwen3_128_bf16", "qwen2_q6_k.gguf")
failed = False


def say(name, wrong):
    global failed
    failed |= bool(wrong)
    print(f"FAIL families.{name}: {wrong}" if wrong else f"ok families.{name}", flush=True)


def ids_of(text):
    """Byte-level BPE by hand: the merges of make_families.py in their order."""
    pieces = [make_families.letters()[b] for b in text.encode()]
    for merge in make_families.MERGES:
        left, right = merge.split()
        i = 0
        while i + 1 < len(pieces):
            if (pieces[i], pieces[i + 1]) == (left, right):
                pieces[i : i + 2] = [left + right]
            i += 1
    return [make_families.tokens().index(piece) for piece in pieces]


def as_f16(values, name):
    return family_reference.halves(values)


def as_q8(values, name):
    return family_reference.eighths(values)


def as_q4(values, name):
    return family_reference.eighths(values) if family_reference.is_words(name) else family_reference.sixteenths(values)


def kept_of(path):
    """What whorl makes of the model's matrices, if it is not told otherwise: numbers of 8 and 4 bits stay, all else is f16."""
    if "q8_0" not in path.name and "q4_0" not in path.name:
        return as_f16
    rounded = ("embed_tokens", "down_proj") if "q6_k" in path.name else ()
    return lambda values, name: as_f16(values, name) if any(part in name for part in rounded) else values


def reference(path, kept):
    """Logits after each token of the prompt, the greedy tokens behind it, and how far the second likeliest was away."""
    decoder, ids = family_reference.Decoder(*family_reference.read(path), kept), ids_of(PROMPT)
    logits, tokens, margin = [decoder.step(token) for token in ids], [], 1e9
    last = logits[-1]
    while True:
        best, second = sorted(last)[-1:-3:-1]
        margin = min(margin, best - second)
        tokens.append(last.index(best))
        if len(tokens) == MORE:
            return ids, logits, tokens, margin
        last = decoder.step(tokens[-1])


def check_logits(driver, path, name, way, wanted, form="file"):
    ids, logits, tokens, _ = wanted
    run = subprocess.run([driver, path, *WAYS[way], form, str(MORE), *map(str, ids)], capture_output=True)
    if run.returncode:
        return say(f"{name}.{way}", run.stderr.decode(errors="replace")[:300].replace("\n", " "))
    vocab = len(logits[0])
    values = struct.unpack(f"<{len(ids) * vocab}f{MORE}i", run.stdout)
    got, said = values[: -MORE], list(values[-MORE:])
    # a NaN is no difference below any bound
    right = [abs(a - b) <= WITHIN for a, b in zip(got, (v for row in logits for v in row))]
    if False in right:
        at = right.index(False)
        p, v = divmod(at, vocab)
        return say(f"{name}.{way}", f"logit {v} after token {p} is {got[at]}, not {logits[p][v]}; {right.count(False)} of {len(right)} are wrong")
    say(f"{name}.{way}", "" if said == tokens else f"tokens {said}, not {tokens}")


def check_generate(whorl, path, name, wanted):
    ids, _, tokens, _ = wanted
    stop = len(make_families.tokens()) - 1
    if stop in tokens:
        tokens = tokens[: tokens.index(stop)]
    answer = path.parent / (name + ".answer")
    run = subprocess.run([whorl, "generate", path, PROMPT, "-n", str(MORE), "--device", "cpu", "-q", "--json", answer], capture_output=True)
    if run.returncode:
        return say(f"{name}.generate", run.stderr.decode(errors="replace")[:300].replace("\n", " "))
    out = json.loads(answer.read_text())
    wrong = "" if out["prompt_tokens"] == ids else f"the prompt is {out['prompt_tokens']}, not {ids}"
    say(f"{name}.generate", wrong or ("" if out["tokens"] == tokens else f"tokens {out['tokens']}, not {tokens}"))


def main():
    driver, whorl, folder = sys.argv[1:4]
    for name in sys.argv[4:] or make_families.MODELS:
        path = make_families.make(folder, name)
        wanted = reference(path, kept_of(path))
        if wanted[3] < 4 * WITHIN:
            say(name, f"two tokens are only {wanted[3]} apart: take another seed in make_families.py")
            continue
        for way in WAYS if name in EVERYWHERE else ("cpu", "single"):
            check_logits(driver, path, name, way, wanted)
        check_generate(whorl, path, name, wanted)
        if name in QUANTISED:
            for form, kept in (("q8", as_q8), ("q4", as_q4)):
                wanted = reference(path, kept)
                for way in ("cpu", "single"):
                    check_logits(driver, path, f"{name}.{form}", way, wanted, form)
        if "q8_0" in name or name == "llama_q4_0.gguf":
            check_logits(driver, path, name + ".none", "single", reference(path, as_f16), "none")
    sys.exit(failed)


if __name__ == "__main__":
    main()
