#!/usr/bin/env python3
"""Compares whorl's tokenizer with the Python package `tokenizers` on texts that strings.py makes.

    python3 tests/models/compare_tokenizers.py TOKENIZER.json... [--count 10000] [--seed 1] [--against FILE.gguf]

For each tokenizer: the ids with and without what the model wants around a text, what the ids decode to, and what random
ids decode to. --against: the ids that the GGUF file's tokenizer gives must be those of the one tokenizer.json named.
--fixture FILE: writes texts and ids for the unit test instead. Prints ok, FAIL or, without the package, skip.
"""
import argparse
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import strings

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOKENS = ROOT / "build/tests/tokens"


def ours(path, lines, special):
    """(ids, decoded bytes) of each line."""
    command = [TOKENS] + (["--special"] if special else []) + [str(path)]
    run = subprocess.run(command, input="".join(line + "\n" for line in lines), capture_output=True, text=True)
    if run.returncode != 0:
        raise SystemExit(f"FAIL tokens: {path}: {run.stderr.strip()[:300]}")
    for line in run.stdout.splitlines():
        ids, _, decoded = line.partition("|")
        yield ([int(word) for word in ids.split()], bytes.fromhex(decoded)) if "error" not in ids else (ids, b"")


def compare(name, texts, want, got, show):
    wrong = [i for i in range(len(want)) if want[i] != got[i]]
    if wrong:
        i = wrong[0]
        print(f"FAIL tokens.{name}: {len(wrong)} of {len(want)} differ, the first for {texts[i]!r}: {show(want[i])} wanted, {show(got[i])} got")
    else:
        print(f"ok tokens.{name}: {len(want)}")
    return not wrong


def check(path, options, tokenizers):
    reference = tokenizers.Tokenizer.from_file(str(path))
    reference.no_truncation()
    reference.no_padding()
    added = sorted(token.content for token in reference.get_added_tokens_decoder().values())
    texts = list(strings.texts(options.seed, options.count, added))
    lines = [text.encode().hex() for text in texts]
    name, good = path.parent.name + "/" + path.name, True
    short = lambda value: str(value)[:200]
    for special in (False, True):
        want = [e.ids for e in reference.encode_batch(texts, add_special_tokens=special)]
        source = options.against or path
        got = list(ours(source, lines, special))
        good &= compare(f"{name}.encode{'.special' if special else ''}", texts, want, [ids for ids, _ in got], short)
    want = [reference.decode(ids, skip_special_tokens=False).encode() for ids in want]
    good &= compare(f"{name}.decode", texts, want, [decoded for _, decoded in got], short)
    byte_level = '"ByteLevel"' in str(reference.decoder) or "ByteLevel" in str(reference.decoder)
    if byte_level:  # the other decoders say U+FFFD once for each byte of a group that is not UTF-8; see detokenize.c
        rng = random.Random(options.seed)
        known = sorted(reference.get_vocab().values())
        lists = [[rng.choice(known) for _ in range(rng.randint(1, 20))] for _ in range(options.count // 10)]
        want = [reference.decode(ids, skip_special_tokens=False).encode() for ids in lists]
        got = [decoded for _, decoded in ours(source, ["#" + " ".join(map(str, ids)) for ids in lists], False)]
        good &= compare(f"{name}.decode.random", lists, want, got, short)
    return good


def write_fixture(path, options, tokenizers):
    reference = tokenizers.Tokenizer.from_file(str(path))
    added = sorted(token.content for token in reference.get_added_tokens_decoder().values())
    with open(options.fixture, "w") as out:
        for text in strings.texts(options.seed, options.count, added):
            ids = reference.encode(text, add_special_tokens=False).ids
            if len(ids) < 200:
                out.write(text.encode().hex() + "|" + " ".join(map(str, ids)) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--against", type=pathlib.Path)
    parser.add_argument("--fixture")
    options = parser.parse_args()
    try:
        import tokenizers
    except ImportError:
        print("skip tokens.compare: the Python package tokenizers is not installed")
        return 0
    if options.fixture:
        write_fixture(options.paths[0], options, tokenizers)
        return 0
    return 0 if all([check(path, options, tokenizers) for path in options.paths]) else 1


if __name__ == "__main__":
    sys.exit(main())
