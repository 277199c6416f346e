"""Checks the documents; called by tests/docs.sh, which sets WHORL, CC and DOCS_GPU.

A comment in the line before a fenced block says what is checked of it. The marked blocks of one document share one new folder, in
which programs/, examples/ and models/ are the repository's, and are taken in order:
    <!-- check -->              sh: runs under bash -eu; `whorl` and `pkg-config --cflags --libs whorl` are those of the build tree
                                python: runs behind the document's python blocks before it, with the package of python/
    <!-- check exit 1 -->       the same, and its last command ends with this status
    <!-- check FILE -->         the block is written to FILE; a .c file must compile without a warning
    <!-- check in FILE -->      the block stands in this file of the repository, line by line and in this order
    <!-- output -->             what the sh block before it prints, stdout and stderr. Times, ratios, hashes, progress lines and the submits of
                                `steps` are left out of the comparison; without SwiftShader there is none
Links with relative targets must lead to a file, and to a heading if they have an anchor. Words in `code` that begin with one of the
repository's folders must name a file, unless they hold a placeholder in capitals. docs/programs.md must list every program as its head
says.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.getcwd()
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"] + sorted(
    "docs/" + name for name in os.listdir("docs") if name.endswith(".md"))
FOLDERS = "include|src|cli|programs|examples|python|bench|tests|fuzz|docs|tools|third_party"
failed = False


def result(name, why=None, log=""):
    global failed
    print(f"FAIL docs/{name}: {why}" if why else f"ok docs/{name}", flush=True)
    if why:
        failed = True
        for line in log.splitlines()[-20:]:
            print("    " + line)


def blocks(lines):
    """Yields (mark, first line of the text, line after it, text) for every fenced block; mark is None where there is no comment."""
    at = 0
    while at < len(lines):
        if lines[at].startswith("```"):
            mark = re.fullmatch(r"<!-- (check|output)(?: (.*?))? -->", lines[at - 1]) if at else None
            end = at + 1
            while end < len(lines) and not lines[end].startswith("```"):
                end += 1
            yield mark, at + 1, end, "".join(line + "\n" for line in lines[at + 1:end])
            at = end
        at += 1


def without_progress(text):
    return "".join(line + "\n" for line in text.splitlines() if "% after slice" not in line)


def comparable(text):
    text = re.sub(r"\b\d[\d.,]*(e[+-]\d+)? (ns|us|ms|s|GB/s)\b", "TIME", text)
    text = re.sub(r"\bhash [0-9a-f]+", "hash", text)
    text = re.sub(r"^( +steps +\d+ +)\d+ ", r"\1SUBMITS ", text, flags=re.M)  # a slow machine cuts them into more slices
    text = re.sub(re.escape(ROOT) + r"[^ )]*/", "", text)
    lines = [re.sub(r"\s+", " ", line).strip() for line in text.splitlines()]
    return [line for line in lines if line and " times as fast as " not in line]


def run_shell(text, folder, extra):
    script = "set -eu\n" + text
    env = dict(os.environ, COLUMNS="100", NO_COLOR="1", **extra)
    return subprocess.run(["bash", "-c", script], cwd=folder, env=env, text=True, stdin=subprocess.DEVNULL, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def run_python(text, before, folder, env):
    """`before` runs too, but is not heard."""
    script = os.path.join(folder, ".python")
    with open(script, "w") as out:
        out.write("import contextlib, io\nwith contextlib.redirect_stdout(io.StringIO()):\n    exec(%r)\n%s" % (before, text))
    return run_shell("python3 .python", folder, env)


def check_blocks(document, lines, bless):
    with tempfile.TemporaryDirectory() as folder:
        for name in ("programs", "examples", "models", "bench"):
            os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
        tools = os.path.join(folder, ".bin")
        os.mkdir(tools)
        os.symlink(os.environ["WHORL"], os.path.join(tools, "whorl"))
        with open(os.path.join(tools, "pkg-config"), "w") as out:  # the build tree's flags
            out.write(f"#!/bin/sh\necho -I{ROOT}/include {ROOT}/build/release/libwhorl.a -ldl -lm -lpthread\n")
        os.chmod(os.path.join(tools, "pkg-config"), 0o755)
        extra = {"PATH": tools + ":" + os.environ["PATH"], "PYTHONPATH": f"{ROOT}/python:{ROOT}/build/deps/python"}
        said, command, new, session = None, None, list(lines), ""
        shift = 0
        for mark, first, end, text in blocks(lines):
            if not mark:
                continue
            name, argument = f"{document}:{first}", mark[2]
            if mark[1] == "output":
                if said is None:
                    result(name, "an output without a command before it")
                elif command == "skip":
                    print(f"skip docs/{name}: its command was skipped")
                elif not os.environ.get("DOCS_GPU"):
                    print(f"skip docs/{name}: SwiftShader's output is shown")
                elif bless:
                    new[first + shift:end + shift] = said.splitlines()
                    shift += len(said.splitlines()) - (end - first)
                else:
                    for _ in range(2):  # a machine that stands still for a second makes more slices
                        if comparable(said) != comparable(text):
                            said = without_progress(run_shell(command, folder, extra).stdout)
                    wrong = comparable(said) != comparable(text)
                    result(name, "the command prints something else (tests/docs.sh --bless)" if wrong else None, said)
            elif argument is None or re.fullmatch(r"exit \d+", argument):
                if lines[first - 1] == "```python":
                    if not os.path.isdir("build/deps/python"):
                        print(f"skip docs/{name}: NumPy is not there (tools/setup.sh python)")
                        said, command = text, "skip"
                        continue
                    done = run_python(text, session, folder, extra)
                    session += text
                    command = "python3 .python"
                else:
                    done = run_shell(text, folder, extra)
                    command = text
                said = without_progress(done.stdout)
                want = int(argument.split()[1]) if argument else 0
                if not os.environ.get("DOCS_GPU") and done.returncode != want:
                    print(f"skip docs/{name}: there is no SwiftShader")
                else:
                    result(name, None if done.returncode == want else f"ended with status {done.returncode}", said)
            elif argument.startswith("in "):
                source = iter(line.strip() for line in open(argument[3:]))
                lost = [line for line in text.splitlines() if line.strip() and line.strip() not in source]
                result(name, f"{argument[3:]} has not (in this order): {lost[0].strip()}" if lost else None)
            else:
                path = os.path.join(folder, argument)
                with open(path, "w") as out:
                    out.write(text)
                if argument.endswith(".c"):
                    done = subprocess.run([*os.environ["CC"].split(), "-std=c11", "-fopenmp", "-Wall", "-Wextra", "-Werror",
                                           "-fsyntax-only", "-I" + ROOT + "/include", path], text=True,
                                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                    result(name, "does not compile" if done.returncode else None, done.stdout)
        if bless and new != lines:
            with open(document, "w") as out:
                out.write("\n".join(new) + "\n")
            print(f"{document}: written")


def anchors(path):
    found, inside = set(), False
    for line in open(path):
        inside ^= line.startswith("```")
        if line.startswith("#") and not inside:
            text = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower())
            found.add(text.replace(" ", "-"))
    return found


def check_names(document, lines):
    inside, wrong = False, []
    for number, line in enumerate(lines, 1):
        inside ^= line.startswith("```")
        if inside:
            continue
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            path = os.path.join(os.path.dirname(document), path) if path else document
            if not os.path.exists(path):
                wrong.append(f"line {number}: the link {target} leads nowhere")
            elif anchor and anchor not in anchors(path):
                wrong.append(f"line {number}: {path} has no heading for #{anchor}")
        for name in re.findall(r"`((?:%s)/[\w./-]*)`" % FOLDERS, line):
            if not os.path.exists(name) and not re.search(r"/$|[A-Z]{3}", name):  # a folder made by tools; a placeholder
                wrong.append(f"line {number}: there is no {name}")
    result(f"{document}/names", wrong[0] if wrong else None, "\n".join(wrong))


for document in DOCUMENTS:
    if not os.path.exists(document):
        result(document, "is not there")
        continue
    lines = open(document).read().splitlines()
    check_blocks(document, lines, "--bless" in sys.argv)
    check_names(document, lines)
table = subprocess.run([sys.executable, "tools/programs_table.py", "--check"], text=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
result("programs", table.stdout.strip() if table.returncode else None)
readme = open("README.md").read()
begin, end = readme.find("<!-- bench:begin -->"), readme.find("<!-- bench:end -->")
result("README.md/bench", None if 0 <= begin < end else "the marks of the measured table are gone")
sys.exit(failed)
