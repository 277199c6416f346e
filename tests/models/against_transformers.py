#!/usr/bin/env python3
"""Compares family_reference.py with the package transformers, in 64-bit floats, on the models of make_families.py. Run by hand:

    python3 -m venv venv && venv/bin/pip install torch 'transformers>=4.51' gguf
    venv/bin/python tests/models/against_transformers.py

Folders: logits of every position. GGUF files: the numbers of each tensor as the package `gguf` gives them, and logits of a
folder with these numbers, under the names and in the order that transformers wants. Prints ok and FAIL lines.
"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import family_reference
import gguf
import make_families
import torch
import transformers

IDS = list(b"the rain in spain stays mainly in the plain, and what of it? now, 40 more letters: ah")


def logits_of(config, tensors):
    scaling = config.get("rope_scaling") or {}
    divided = scaling.get("rope_type") == "divided"  # by the numbers of a GGUF file, of which transformers does not know
    made = transformers.AutoConfig.for_model(**dict(config, rope_scaling=None if divided else scaling or None))
    made._attn_implementation = "eager"
    if config["model_type"] == "llama" and any(name.endswith("_proj.bias") for name in tensors):
        made.attention_bias = True  # with a bias of zeros in the output, which GGUF does not have
        for l in range(made.num_hidden_layers):
            tensors[f"model.layers.{l}.self_attn.o_proj.bias"] = [made.hidden_size], [0.0] * made.hidden_size
    model = transformers.AutoModelForCausalLM.from_config(made, torch_dtype=torch.float64).eval()
    state = {name: torch.tensor(values, dtype=torch.float64).reshape(shape) for name, (shape, values) in tensors.items()}
    left = model.load_state_dict(state, strict=False)
    assert not left.unexpected_keys and set(left.missing_keys) <= {"lm_head.weight"}, left
    model.tie_weights()
    if divided:
        model.model.rotary_emb.inv_freq = torch.tensor(family_reference.frequencies(config, made.head_dim))
    with torch.no_grad():
        return model(torch.tensor([IDS])).logits[0].tolist()


def compare(name, config, tensors):
    decoder = family_reference.Decoder(config, tensors, kept=lambda values, name: values)
    ours, theirs = [decoder.step(token) for token in IDS], logits_of(config, dict(tensors))
    worst = max(abs(a - b) for x, y in zip(ours, theirs) for a, b in zip(x, y))
    print(f"{'ok' if worst < 1e-4 else 'FAIL'} {name}: logits differ by up to {worst:.2g}")


def compare_tensors(name, path):
    mine, wrong = family_reference.Gguf(path).tensors, []
    for tensor in gguf.GGUFReader(path).tensors:
        theirs = gguf.quants.dequantize(tensor.data, tensor.tensor_type).reshape(-1)
        if max(abs(a - b) for a, b in zip(mine[tensor.name][1], theirs.tolist())) > 1e-6:
            wrong.append(tensor.name)
    print(f"FAIL {name}: {wrong}" if wrong else f"ok {name}: {len(mine)} tensors")


def main():
    with tempfile.TemporaryDirectory() as folder:
        for name in make_families.MODELS:
            path = make_families.make(folder, name)
            config, tensors = family_reference.read(path)
            if name.endswith(".gguf"):
                compare_tensors(name, path)
            compare(name, config, tensors)


if __name__ == "__main__":
    main()
