#!/usr/bin/env python3
"""Files that are made to take time or memory: each must be read or refused within a second of processor time and with 64 MB beside
its own size. `hostile.py TOKENS`: the release build of tests/models/tokens.c. Prints ok or FAIL lines."""
import os
import struct
import sys
import tempfile

LIMIT_BYTES, LIMIT_S = 64 << 20, 1.0
MODEL = b'{"model":{"vocab":{%s},"merges":[%s]}%s}'


def text(data):
    return struct.pack("<Q", len(data)) + data


def gguf(values, *entries):
    return b"GGUF" + struct.pack("<IQQ", 3, 0, values) + b"".join(entries)


def strings(key, items):
    return text(key) + struct.pack("<IIQ", 9, 8, len(items)) + b"".join(map(text, items))


def sentencepiece(longest):
    """Tokens of one letter, each longer than the one before: as many ways to split them as there can be."""
    scores = text(b"tokenizer.ggml.scores") + struct.pack("<IIQ", 9, 6, longest) + bytes(4 * longest)
    kind = text(b"tokenizer.ggml.model") + struct.pack("<I", 8) + text(b"llama")
    return gguf(3, kind, strings(b"tokenizer.ggml.tokens", [b"a" * n for n in range(1, longest + 1)]), scores)


def files():
    numbered = lambda count, form: b",".join(form % (i, i) for i in range(count))
    yield "values.json", b'{"a":[' + b"1," * (30 << 20) + b"1]}"
    yield "values_allowed.json", b"[" + b"1," * 1990000 + b"1]"
    yield "deep.json", b"[" * (10 << 20)
    yield "vocabulary.json", MODEL % (numbered((1 << 19) - 1, b'"%d":%d'), b"", b"")
    yield "merges.json", MODEL % (b'"a":0,"aa":1', b",".join([b'"a a"'] * (1 << 19)), b"")
    yield "pairs.json", MODEL % (b'"a":0,"aa":1', b",".join([b'["a","a"]'] * 490000), b"")
    yield "long_token.json", MODEL % (b'"a":0,"' + b"x" * (60 << 20) + b'":1', b"", b"")
    yield "added.json", MODEL % (b'"a":0', b"", b',"added_tokens":[' + numbered(60000, b'{"id":%d,"content":"<<%d"}') + b"]")
    yield "added_many.json", MODEL % (b'"a":0', b"", b',"added_tokens":[' + numbered(300000, b'{"id":%d,"content":"<<%d"}') + b"]")
    yield "strings.gguf", gguf(1, text(b"k") + struct.pack("<IIQ", 9, 8, 4 << 20) + bytes(8) * (4 << 20))
    yield "splits.gguf", sentencepiece(3000)
    yield "splits_allowed.gguf", sentencepiece(800)
    yield "huge_header.safetensors.gguf", struct.pack("<Q", 1 << 62) + b"{}"
    yield "header.safetensors.gguf", struct.pack("<Q", 15 << 20) + b"{" + b" " * ((15 << 20) - 1)
    many = b"{" + b",".join(b'"%d":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}' % i for i in range(60000)) + b"}"
    yield "tensors.safetensors.gguf", struct.pack("<Q", len(many)) + many


def main():
    bad = False
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files():
            path = os.path.join(folder, name)
            with open(path, "wb") as out:
                out.write(data)
            size, data = len(data), None
            # a child of a small process: a large one's memory would count as the child's
            code = "import os,sys;os.dup2(os.open('/dev/null',os.O_RDWR),0);os.dup2(0,1);os.dup2(0,2);p=os.posix_spawn(sys.argv[1],sys.argv[1:],os.environ);" \
                   "_,s,r=os.wait4(p,0);os.write(3,b'%d %d %f'%(s,r.ru_maxrss,r.ru_utime+r.ru_stime))"
            read, write = os.pipe()
            child = os.posix_spawnp("python3", ["python3", "-c", code, sys.argv[1], path], os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, write, 3)])
            os.close(write)
            os.waitpid(child, 0)
            status, kilobytes, seconds = os.read(read, 100).split()
            os.close(read)
            over, took = int(kilobytes) * 1024 - size, float(seconds)
            good = int(status) in (0, 256) and over < LIMIT_BYTES and took < LIMIT_S
            bad |= not good
            print(f"{'ok' if good else 'FAIL'} hostile_model.{name}: status {int(status)}, {took:.2f} s, {over >> 20} MB over its size")
    return bad


if __name__ == "__main__":
    sys.exit(main())
