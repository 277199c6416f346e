# For tests/ending.sh: starts a command, ends it in one way, and says what was wrong; nothing: all was right.
#   ending.py MARK HOW CODE WORDS COMMAND...
# HOW: time (the command has its own limit of 1 s), a signal's name (after 1 s), or KILL9 (the process is killed, its children must
# follow). MARK: a word that only this command and its children have in their arguments. Times are in `late`, 1 + 2 s.
import os, re, signal, subprocess, sys, time

mark, how, code, words, command = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5:]
late = 3.0


def left():
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as f:
                line = f.read()
            with open(f"/proc/{entry}/stat") as f:
                state = f.read().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if mark.encode() in line and b"ending.py" not in line and state != "Z":
            found.append(line.replace(b"\0", b" ").decode()[:80])
    return found


def settled():  # the children may need a moment
    for _ in range(20):
        if not left():
            return ""
        time.sleep(0.1)
    return f"left behind: {left()[0]}; "


began = time.monotonic()
for name in ("SIGHUP", "SIGINT", "SIGTERM"):
    signal.signal(getattr(signal, name), signal.SIG_DFL)  # a nohup around the tests is not about the command
child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
if how != "time":
    time.sleep(1)
    if child.poll() is None:
        child.send_signal(signal.SIGKILL if how == "KILL9" else getattr(signal, how))
problem = ""
try:
    if how == "KILL9":
        child.wait(timeout=20)
        sys.exit(settled())
    _, said = child.communicate(timeout=30)
except subprocess.TimeoutExpired:
    child.kill()
    sys.exit("it does not end")
took = time.monotonic() - began
lines = [l for l in said.decode().splitlines() if not re.search(r"stopping after this slice|no slice is done|making kernel .*, [0-9.]* s$|after slice \d", l)]
if took > late:
    problem += f"{took:.1f} s; "
if child.returncode != code:
    problem += f"status {child.returncode}; "
if len(lines) != 1 or not re.search(words, lines[0]):
    problem += f"it says {lines[:3]}; "
sys.exit(problem + settled())
