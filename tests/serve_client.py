"""`whorl serve` as its clients see it, with Python's standard library: `serve_client.py BINARY MODEL PLAIN DEVICE`, where MODEL has a chat
template and PLAIN has none. Prints `ok serve.NAME` or `FAIL serve.NAME: why` for each test."""
import concurrent.futures
import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time

BINARY, MODEL, PLAIN, DEVICE = sys.argv[1:5]
GOLDEN = json.load(open("models/tiny/golden.json"))[0]
PROMPT, ANSWER = GOLDEN["prompt"], GOLDEN["greedy_text"][len(GOLDEN["prompt"]):]
failed = False


class Server:
    def __init__(self, model, *options, env=None):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        self.process = subprocess.Popen([BINARY, "serve", model, "--port", str(self.port), "--device", DEVICE, *options],
                                        stderr=subprocess.PIPE, text=True, env={**os.environ, **(env or {})})
        self.said = self.process.stderr.readline()
        if "at http://" not in self.said:
            self.process.wait()
            raise RuntimeError("the server did not begin: " + self.said + self.process.stderr.read()[:500])
        self.log = []
        threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()

    def end(self, number=signal.SIGINT):
        self.process.send_signal(number)
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return "no end after 20 s"

    def connect(self, timeout=120):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, path, body=None, headers=None, method=None):
        """(status, decoded answer)"""
        c = self.connect()
        data = body if body is None or isinstance(body, (bytes, str)) else json.dumps(body)
        sent = {"Content-Type": "application/json", **(headers or {})}
        c.request(method or ("POST" if body is not None else "GET"), path, data, sent)
        answer = c.getresponse()
        text = answer.read()
        c.close()
        is_json = answer.getheader("Content-Type") == "application/json"
        return answer.status, json.loads(text) if is_json and text else text.decode()

    def complete(self, prompt=PROMPT, **fields):
        status, answer = self.ask("/v1/completions", {"prompt": prompt, "temperature": 0, **fields})
        assert status == 200, (status, answer)
        return answer

    def stream(self, path, body):
        c = self.connect()
        c.request("POST", path, json.dumps({**body, "stream": True}), {"Content-Type": "application/json"})
        answer = c.getresponse()
        assert answer.status == 200, (answer.status, answer.read())
        events = [part[6:] for part in answer.read().decode().split("\n\n") if part]
        c.close()
        assert events[-1] == "[DONE]", events[-1]
        return [json.loads(e) for e in events[:-1]]

    def raw(self, data, timeout=20):
        """All that comes back for these bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout) as s:
            s.settimeout(timeout)
            got = b""
            try:
                s.sendall(data)
                while piece := s.recv(65536):
                    got += piece
            except OSError:
                pass
            return got

    def metric(self, name):
        return int(re.search(rf"^whorl_{re.escape(name)} (\d+)", self.ask("/metrics")[1], re.M)[1])

    def answers(self, kind):
        return self.metric(f'answers_total{{status="{kind}"}}')


def test(name):
    def run(f):
        global failed
        began = time.time()
        try:
            f()
            print(f"ok serve.{name}", flush=True)
        except Exception as why:  # a line for each test, whatever went wrong
            failed = True
            print(f"FAIL serve.{name}: {type(why).__name__} {str(why)[:300]!r} after {time.time() - began:.1f} s", flush=True)
    return run


def equal(got, want):
    assert got == want, (got, want)


server = Server(MODEL)


@test("models")
def _():
    status, answer = server.ask("/v1/models")
    equal((status, answer["object"], len(answer["data"])), (200, "list", 1))
    equal(server.ask("/health"), (200, {"status": "ok"}))
    for path in ("/v1/models/talks", "/v1/models/t%61lks"):
        equal(server.ask(path), (200, answer["data"][0]))
    for path in ("/v1/models/tal", "/v1/models/talkss", "/v1/models/", "/v1/models/talks%", "/v1/models/talks%00", "/v1/models/t%c3%a9"):
        status, missing = server.ask(path)
        equal((status, missing["error"]["param"], "'talks'" in missing["error"]["message"]), (404, "model", True))
    assert "'té'" in missing["error"]["message"], missing
    equal(server.ask("/v1/models/talks", {})[0], 405)
    status, page = server.ask("/")
    assert status == 200 and "<title>whorl</title>" in page


@test("completion")
def _():
    answer = server.complete(max_tokens=6)
    choice = answer["choices"][0]
    assert ANSWER.startswith(choice["text"]) and len(choice["text"]) > 10, choice["text"]
    equal(choice["finish_reason"], "length")
    usage = answer["usage"]
    equal((usage["prompt_tokens"], usage["completion_tokens"], usage["total_tokens"]), (4, 6, 10))
    again = server.complete(GOLDEN["prompt_ids"], max_tokens=6)
    equal(again["choices"][0]["text"], choice["text"])
    equal(again["usage"]["prompt_tokens_details"]["cached_tokens"], 3)


@test("long_prompts")
def _():
    """Prompts that are computed in tiles: alone, side by side, and left by their clients on the way."""
    prompts = [" ".join([PROMPT] * n + [str(n)]) for n in (60, 35, 20)]
    want = [subprocess.run([BINARY, "generate", MODEL, p, "-n", "6", "--device", DEVICE, "-q"], capture_output=True, text=True).stdout[:-1] for p in prompts]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        short = pool.submit(server.complete, max_tokens=20)
        got = [a["choices"][0]["text"] for a in pool.map(lambda p: server.complete(p, max_tokens=6), prompts)]
    equal(got, want)
    assert ANSWER.startswith(short.result()["choices"][0]["text"])
    for golden in json.load(open("models/tiny/golden.json")):  # of transformers: its last tokens behind the others as a prompt
        ids = golden["greedy_ids"]
        text = server.complete(ids[:-12], max_tokens=12)["choices"][0]["text"]
        assert golden["greedy_text"].endswith(text) and len(text) > 12, (golden["greedy_text"], text)
    body = json.dumps({"prompt": "So he said. " * 200, "max_tokens": 50}).encode()
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", server.port)) as s:
            s.sendall(b"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            time.sleep(0.05)
    until = time.time() + 20
    while server.metric("texts_running") and time.time() < until:
        time.sleep(0.05)
    equal(server.metric("texts_running"), 0)


@test("stop")
def _():
    choice = server.complete(max_tokens=20, stop=["xyz", " and was"])["choices"][0]
    equal((choice["text"], choice["finish_reason"]), (ANSWER[:ANSWER.index(" and was")], "stop"))
    events = server.stream("/v1/completions", {"prompt": PROMPT, "temperature": 0, "max_tokens": 20, "stop": " and was"})
    equal("".join(e["choices"][0]["text"] for e in events), choice["text"])


@test("stream")
def _():
    body = {"messages": [{"role": "system", "content": "Be brief"}, {"role": "user", "content": [{"type": "text", "text": "Who was Moses?"}]}],
            "max_completion_tokens": 5, "temperature": 0, "stream_options": {"include_usage": True}}
    status, whole = server.ask("/v1/chat/completions", body)
    equal((status, whole["object"], whole["choices"][0]["message"]["role"]), (200, "chat.completion", "assistant"))
    events = server.stream("/v1/chat/completions", body)
    equal(events[0]["choices"][0]["delta"], {"role": "assistant", "content": ""})
    equal("".join(e["choices"][0]["delta"].get("content", "") for e in events if e["choices"]), whole["choices"][0]["message"]["content"])
    equal([e["choices"][0]["finish_reason"] for e in events if e["choices"]][-1], "length")
    equal(events[-1]["usage"]["completion_tokens"], 5)


@test("logprobs")
def _():
    fields = {"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 4, "temperature": 0, "logprobs": True}
    whole = server.ask("/v1/chat/completions", fields)[1]["choices"][0]
    tokens = whole["logprobs"]["content"]
    equal((len(tokens), "".join(t["token"] for t in tokens)), (4, whole["message"]["content"]))
    assert all(-20 < t["logprob"] <= 0 for t in tokens), tokens
    parts = [t for e in server.stream("/v1/chat/completions", fields) for t in (e["choices"][0]["logprobs"] or {"content": []})["content"]]
    equal([t["token"] for t in parts], [t["token"] for t in tokens])


@test("top_logprobs")
def _():
    fields = {"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 4, "temperature": 0, "logprobs": True, "top_logprobs": 3}
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        beside = pool.submit(server.complete, max_tokens=12)
        tokens = server.ask("/v1/chat/completions", fields)[1]["choices"][0]["logprobs"]["content"]
    assert ANSWER.startswith(beside.result()["choices"][0]["text"])
    for t in tokens:  # the likeliest was chosen
        tops = t["top_logprobs"]
        values = [top["logprob"] for top in tops]
        equal((len(tops), values), (3, sorted(values, reverse=True)))
        equal((tops[0]["token"], tops[0]["bytes"]), (t["token"], list(t["token"].encode())))
        assert abs(values[0] - t["logprob"]) < 1e-4 and values[2] < values[0], (values, t["logprob"])
    parts = [t for e in server.stream("/v1/chat/completions", fields) for t in (e["choices"][0]["logprobs"] or {"content": []})["content"]]
    equal([[top["token"] for top in t["top_logprobs"]] for t in parts], [[top["token"] for top in t["top_logprobs"]] for t in tokens])
    got = server.complete("And he said", max_tokens=5, temperature=2, seed=3, logprobs=2)["choices"][0]["logprobs"]
    equal((len(got["tokens"]), len(got["top_logprobs"])), (5, 5))
    for token, likely, tops in zip(got["tokens"], got["token_logprobs"], got["top_logprobs"]):  # a rare one stands beside the likeliest
        assert 2 <= len(tops) <= 3 and abs(tops[token] - likely) < 1e-4 and max(tops.values()) >= likely - 1e-4, (token, likely, tops)
    assert any(len(tops) == 3 for tops in got["top_logprobs"]), got


@test("seed")
def _():
    def draw(seed):
        return server.complete("And he said", max_tokens=6, temperature=1, top_p=0.95, seed=seed)["choices"][0]["text"]
    first = draw(7)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:  # the same beside others
        texts = list(pool.map(draw, [7, 8, 9]))
    assert texts[0] == first and len(set(texts)) > 1, (first, texts)


@test("refused")
def _():
    def wrong(text, path="/v1/completions", status=400, **fields):
        body = {"prompt": "Hello", "max_tokens": 1, **fields}
        got, answer = server.ask(path, {k: v for k, v in body.items() if v != "none"})
        assert got == status and text in answer["error"]["message"], (fields, got, answer)
    wrong("temperature", temperature="hot")
    wrong("temperature", temperature=-1)
    wrong("n above 1", n=2)
    wrong("tools", tools=[{"type": "function"}])
    wrong("stop", stop=[""])
    wrong("stop", stop=["x"] * 17)
    wrong("max_tokens", max_tokens=0)
    wrong("max_tokens", max_tokens=1.5)
    wrong("prompt", prompt="none")
    wrong("prompt", prompt=[1, 99999])
    wrong("prompt", prompt=[])
    wrong("empty", prompt="")
    wrong("tokens", prompt=[5] * 1024)
    wrong("bytes", prompt="x" * 100000)
    wrong("messages", path="/v1/chat/completions")
    wrong("role", path="/v1/chat/completions", messages=[{"content": "x"}])
    wrong("part", path="/v1/chat/completions", messages=[{"role": "user", "content": [{"type": "image_url"}]}])
    wrong("logprobs", logprobs=21)
    wrong("top_logprobs", path="/v1/chat/completions", top_logprobs=2, messages=[{"role": "user", "content": "x"}])
    wrong("top_logprobs", path="/v1/chat/completions", logprobs=True, top_logprobs=21, messages=[{"role": "user", "content": "x"}])
    for body in (b"", b"{", b"[]", b"null", b"[" * 100000, b'{"prompt": "a", "prompt": "b"}', b'{"prompt": "\xff"}', b"\0" * 50, b'{"prompt": 1e999}'):
        equal(server.ask("/v1/completions", body)[0], 400)
    equal(server.ask("/v1/completions", b"{}", {"Content-Type": "text/plain"})[0], 415)
    equal(server.ask("/nothing")[0], 404)
    equal(server.ask("/v1/models", {})[0], 405)
    equal(server.ask("/v1/completions")[0], 405)


@test("params")
def _():
    def param(**fields):
        return server.ask("/v1/completions", {"prompt": "Hello", "max_tokens": 1, **fields})[1]["error"]["param"]
    for name, value in {"model": 3, "stream": "yes", "stream_options": 3, "seed": "x", "stop": [3], "n": 2, "tools": [1], "prompt": [1, 99999],
                        "max_tokens": -1, "logprobs": "x", "response_format": {}}.items():
        equal(param(**{name: value}), name)
    equal(param(stream_options={"include_usage": "yes"}), "stream_options")
    equal(param(prompt=""), "prompt")


@test("origin")
def _():
    equal(server.ask("/v1/models", headers={"Host": "evil.example"})[0], 403)
    equal(server.ask("/v1/models", headers={"Host": f"localhost:{server.port}"})[0], 200)
    equal(server.ask("/v1/models", headers={"Origin": "https://evil.example"})[0], 403)
    equal(server.ask("/v1/models", headers={"Origin": f"http://127.0.0.1:{server.port}"})[0], 200)


@test("bytes")
def _():
    def status(data):
        return int((server.raw(data).split(b" ") + [b"0", b"0"])[1])
    head = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    equal(status(head + b"\r\n"), 200)
    equal(status(b"GET /health HTTP/1.0\r\n\r\n"), 200)
    equal(status(b"GET /health HTTP/1.1\r\n\r\n"), 400)
    equal(status(b"GET /health HTTP/2.0\r\nHost: localhost\r\n\r\n"), 505)
    equal(status(head + b"Host: localhost\r\n\r\n"), 400)
    before = server.answers("4xx")
    equal(status(b"GET /health HTTP/1.1\nHost: localhost\n\n"), 400)
    equal(server.answers("4xx"), before + 1)
    equal(status(head + b" folded: x\r\n\r\n"), 400)
    equal(status(head + b"a: " + b"x" * 20000), 431)
    equal(status(head + b"a: b\r\n" * 70 + b"\r\n"), 431)
    equal(status(head + b"a: \0\r\n\r\n"), 400)
    post = b"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
    equal(status(post + b"Content-Length: 99999999999\r\n\r\n"), 413)
    equal(status(post + b"Content-Length: 5000000\r\n\r\n" + b"x" * 5000000), 413)
    equal(status(post + b"Content-Length: -1\r\n\r\n"), 400)
    equal(status(post + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}"), 400)
    equal(status(post + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}"), 400)
    equal(status(post + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"), 411)
    keep = head.replace(b"Connection: close\r\n", b"") + b"\r\n"
    equal(server.raw(keep + head + b"\r\n").count(b"HTTP/1.1 200 OK"), 2)
    rng = random.Random(1)
    good = post + b'Content-Length: 46\r\n\r\n{"prompt": "Hello", "max_tokens": 1, "n": 1.5}'
    for _ in range(400):
        data = bytearray(good)
        for _ in range(rng.randrange(1, 8)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        with socket.create_connection(("127.0.0.1", server.port), 20) as s:
            s.sendall(data[:rng.randrange(len(data))])
            if rng.random() < 0.5:
                s.shutdown(socket.SHUT_WR)
    equal(server.ask("/health")[0], 200)


@test("slow")
def _():
    idle = []
    for i in range(60):
        s = socket.create_connection(("127.0.0.1", server.port), 20)
        s.sendall([b"GET /he", b"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{", b""][i % 3])
        idle.append(s)
    began = time.time()
    equal(len(server.complete(max_tokens=2)["choices"]), 1)
    assert time.time() - began < 15
    for s in idle:
        s.close()
    s = socket.create_connection(("127.0.0.1", server.port), 30)  # a head that does not end
    s.sendall(b"GET /health HTTP/1.1\r\n")
    assert b" 408 " in s.recv(4096)
    s.close()


@test("streams")
def _():
    prompts = [[1147, 258], [387, 14], [300, 7], [589, 337]]
    alone = [server.complete(p, max_tokens=2)["choices"][0]["text"] for p in prompts]
    def one(i):
        events = server.stream("/v1/completions", {"prompt": prompts[i % 4], "temperature": 0, "max_tokens": 2})
        return "".join(e["choices"][0]["text"] for e in events)
    with concurrent.futures.ThreadPoolExecutor(64) as pool:
        texts = list(pool.map(one, range(64)))
    equal(texts, [alone[i % 4] for i in range(64)])


@test("disconnects")
def _():
    rng = random.Random(2)
    dropped = server.metric("texts_dropped_total")
    for i in range(30):
        s = socket.create_connection(("127.0.0.1", server.port), 20)
        body = json.dumps({"prompt": "In the", "max_tokens": 900, "stream": i % 2 == 0})
        s.sendall(f"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
        time.sleep(rng.random() * 0.2)
        s.close()
    end = time.time() + 15
    while server.metric("texts_running") + server.metric("texts_waiting") > 0 and time.time() < end:
        time.sleep(0.1)
    equal((server.metric("texts_running"), server.metric("texts_waiting")), (0, 0))
    equal(server.metric("texts_dropped_total") - dropped, 30)
    equal(server.complete(max_tokens=2)["choices"][0]["finish_reason"], "length")


@test("end")
def _():
    c = server.connect()
    c.request("POST", "/v1/completions", json.dumps({"prompt": "In the", "max_tokens": 900, "stream": True}), {"Content-Type": "application/json"})
    c.getresponse().read(1)
    began = time.time()
    equal(server.end(), 0)
    assert time.time() - began < 10
    assert not any("Sanitizer" in line for line in server.log), server.log[:3]


@test("key")
def _():
    why = subprocess.run([BINARY, "serve", PLAIN, "--host", "0.0.0.0", "--device", DEVICE], stderr=subprocess.PIPE, text=True, timeout=100)
    assert why.returncode == 2 and "--api-key" in why.stderr, (why.returncode, why.stderr)
    other = Server(PLAIN, "--host", "0.0.0.0", "--name", "small", "--texts", "2", "--context", "64", env={"WHORL_API_KEY": "sesame"})
    equal(other.ask("/health")[0], 200)
    for given in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer sesam"}, {"Authorization": "Bearer sesameX"}, {"Authorization": "sesame"}):
        equal(other.ask("/v1/models", headers=given)[0], 401)
    key = {"Authorization": "Bearer sesame"}
    status, answer = other.ask("/v1/models", headers=key)
    equal((status, answer["data"][0]["id"]), (200, "small"))
    status, answer = other.ask("/v1/chat/completions", {"messages": [{"role": "user", "content": "Hello"}]}, key)
    assert status == 400 and "no chat template" in answer["error"]["message"], answer
    equal(other.ask("/v1/completions", {"prompt": PROMPT, "max_tokens": 2}, key)[0], 200)
    equal(other.end(signal.SIGTERM), 0)


sys.exit(failed)
