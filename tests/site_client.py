"""`whorl serve --site` as its clients see it: `site_client.py BINARY`. Prints `ok site.NAME` or `FAIL site.NAME: why` for each test."""
import http.client
import os
import pathlib
import signal
import socket
import subprocess
import sys
import tempfile

BINARY = sys.argv[1]
failed = False


def test(name, wrong):
    global failed
    failed |= bool(wrong)
    print(f"FAIL site.{name}: {wrong}" if wrong else f"ok site.{name}", flush=True)


def make(folder):
    for name, data in {"index.html": b"<p>first", "play/index.html": b"<p>play", "whorl.wasm": b"\0asm", "a b.txt": b"text",
                       "assets/model_worker-x.js": b"1", "assets/run-x.js": b"2", "large.bin": bytes(20 << 20), "empty.css": b""}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (folder.parent / "secret.txt").write_text("secret")
    (folder.parent / "other").mkdir()
    (folder.parent / "other" / "secret.txt").write_text("secret")
    (folder / ".hidden").write_text("secret")
    (folder / "link.txt").symlink_to("../secret.txt")
    (folder / "folder").symlink_to("../other")
    os.mkfifo(folder / "pipe")


class Server:
    def __init__(self, folder):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.port = s.getsockname()[1]
        self.process = subprocess.Popen([BINARY, "serve", "--site", folder, "--port", str(self.port)], stderr=subprocess.PIPE, text=True)
        self.said = self.process.stderr.readline()

    def ask(self, path, method="GET", headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request(method, path, headers=headers or {})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer.status, answer.headers, body

    def raw(self, text):
        with socket.create_connection(("127.0.0.1", self.port), 20) as s:
            s.sendall(text)
            s.shutdown(socket.SHUT_WR)
            out = b""
            while part := s.recv(65536):
                out += part
        return out


def files(server):
    for path, kind, want in (("/", "text/html; charset=utf-8", b"<p>first"), ("/index.html", "text/html; charset=utf-8", b"<p>first"),
                             ("/play/?x=1", "text/html; charset=utf-8", b"<p>play"), ("/whorl.wasm", "application/wasm", b"\0asm"),
                             ("/a%20b.txt", "text/plain; charset=utf-8", b"text"), ("/empty.css", "text/css; charset=utf-8", b""),
                             ("/large.bin", "application/octet-stream", bytes(20 << 20))):
        status, headers, body = server.ask(path)
        if status != 200 or headers["Content-Type"] != kind or body != want:
            return f"{path}: {status} {headers['Content-Type']}, {len(body)} bytes"
        if int(headers["Content-Length"]) != len(want):
            return f"{path}: Content-Length {headers['Content-Length']}"


def headers(server):
    _, got, _ = server.ask("/")
    for name, want in {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp",
                       "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}.items():
        if got[name] != want:
            return f"{name} is {got[name]}"
    policy = got["Content-Security-Policy"]
    if "default-src 'self'" not in policy or "'wasm-unsafe-eval'" not in policy or "https:" in policy or "frame-ancestors 'none'" not in policy:
        return policy
    if "connect-src 'self' https:;" not in server.ask("/assets/model_worker-x.js")[1]["Content-Security-Policy"]:
        return "the worker that fetches models may ask nobody"
    if "https:" in server.ask("/assets/run-x.js")[1]["Content-Security-Policy"]:
        return "another script may ask everybody"


def escapes(server):
    for path in ("/../secret.txt", "/play/../../secret.txt", "/%2e%2e/secret.txt", "/%2E%2E%2fsecret.txt", "/..%2fsecret.txt", "/..%5csecret.txt",
                 "/%252e%252e/secret.txt", "/link.txt", "/folder/secret.txt", "/folder/", "/folder", "/.hidden", "/./index.html", "//secret.txt",
                 "/play//index.html", "/pipe", "/a%00.txt", "/%", "/" + "a/" * 900, "/none", "/index.html/"):
        status, _, body = server.ask(path)
        if status != 404 or b"secret" in body:
            return f"{path}: {status} {body[:60]}"
    for line in (b"GET ../secret.txt HTTP/1.1", b"GET /a\xff HTTP/1.1", b"GET http://127.0.0.1/ HTTP/1.1"):
        answer = server.raw(line + b"\r\nHost: 127.0.0.1\r\n\r\n")
        if not answer.startswith(b"HTTP/1.1 400"):
            return f"{line}: {answer[:60]}"


def others(server):
    status, got, _ = server.ask("/play")
    if status != 308 or got["Location"] != "/play/":
        return f"a folder without its slash: {status} {got['Location']}"
    if server.ask("/", "POST")[0] != 405:
        return "POST is answered"
    status, got, body = server.ask("/", "HEAD")
    if status != 200 or body or got["Content-Length"] != "8":
        return f"HEAD: {status} {len(body)} {got['Content-Length']}"
    if server.ask("/", headers={"Host": "example.com"})[0] != 403:
        return "another host's name is answered"


def main():
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work) / "site"
        make(folder)
        server = Server(folder)
        test("begins", "" if "the site at http://127.0.0.1" in server.said else server.said)
        for job in (files, headers, escapes, others):
            test(job.__name__, job(server))
        server.process.send_signal(signal.SIGINT)
        code = server.process.wait(20)
        test("ends", "" if code == 0 else f"status {code}")
        nothing = subprocess.run([BINARY, "serve", "--site", pathlib.Path(work) / "other"], capture_output=True, text=True, timeout=60)
        test("no_site", "" if nothing.returncode == 1 and "no index.html" in nothing.stderr else f"{nothing.returncode} {nothing.stderr}")
    sys.exit(failed)


main()
