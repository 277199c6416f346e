#!/usr/bin/env python3
"""Writes a tokenizer.json as the metadata of a GGUF file, as converters do, so that both readers can be compared:

    python3 tests/models/gguf_of_tokenizer.py tokenizer.json OUT.gguf gpt2 qwen2     byte-level; the name of its split
    python3 tests/models/gguf_of_tokenizer.py tokenizer.json OUT.gguf llama          SentencePiece: scores fall with the merges
    python3 tests/models/compare_tokenizers.py tokenizer.json --against OUT.gguf

Needs the Python package gguf.
"""
import json
import sys

import gguf


def main():
    source, out, model = sys.argv[1:4]
    data = json.load(open(source))
    vocab = dict(data["model"]["vocab"])
    added = {token["id"]: token for token in data["added_tokens"]}
    vocab.update({token["content"]: index for index, token in added.items()})
    names = {index: name for name, index in vocab.items()}
    tokens = [names.get(index, f"[PAD{index}]") for index in range(max(names) + 1)]
    types = []
    for index, name in enumerate(tokens):
        if index in added:
            kind = gguf.TokenType.CONTROL if added[index]["special"] else gguf.TokenType.USER_DEFINED
            kind = gguf.TokenType.UNKNOWN if name == "<unk>" else kind
        elif index not in names:
            kind = gguf.TokenType.UNUSED
        else:
            byte = model == "llama" and len(name) == 6 and name.startswith("<0x")
            kind = gguf.TokenType.BYTE if byte else gguf.TokenType.NORMAL
        types.append(kind)
    writer = gguf.GGUFWriter(out, "llama")
    writer.add_tokenizer_model(model)
    writer.add_token_list(tokens)
    writer.add_token_types(types)
    if model == "llama":
        scores = {}
        for rank, merge in enumerate(data["model"]["merges"]):
            scores.setdefault("".join(merge.split(" ") if isinstance(merge, str) else merge), -float(rank))
        writer.add_token_scores([scores.get(name, -1e9) for name in tokens])
        writer.add_bos_token_id(vocab["<s>"])
    else:
        writer.add_tokenizer_pre(sys.argv[4])
        merges = data["model"]["merges"]
        writer.add_token_merges([merge if isinstance(merge, str) else " ".join(merge) for merge in merges])
        bos = vocab.get("<|begin_of_text|>")
        writer.add_add_bos_token("TemplateProcessing" in json.dumps(data["post_processor"]) and bos is not None)
        writer.add_bos_token_id(bos or 0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    main()
