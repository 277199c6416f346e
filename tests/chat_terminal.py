"""A conversation typed at a terminal: `chat_terminal.py BINARY MODEL`. What is typed reaches the worker, which is not in front; the end
of the input ends the conversation with status 0, Ctrl-C at a prompt with 130. Prints nothing when all is well, else why not."""
import os
import pty
import select
import subprocess
import sys
import time


def talk(binary, model, steps):
    """steps: (text to wait for, what is typed then). Returns (what was shown, exit status)."""
    control, terminal = pty.openpty()
    child = subprocess.Popen([binary, "generate", model, "--chat", "-n", "3", "--device", "cpu"], stdin=terminal, stdout=terminal,
                             stderr=terminal, start_new_session=True,
                             preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0))
    os.close(terminal)
    shown, at, end = b"", 0, time.time() + 120
    while time.time() < end:
        ready, _, _ = select.select([control], [], [], 0.1)
        if ready:
            try:
                piece = os.read(control, 4096)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        while steps and steps[0][0] in shown[at:]:
            wait, typed = steps.pop(0)
            at = len(shown)
            os.write(control, typed)
        if child.poll() is not None and not ready:
            break
    else:
        child.kill()
    os.close(control)
    return shown.decode(errors="replace"), child.wait()


shown, status = talk(sys.argv[1], sys.argv[2], [(b"> ", b"Hello\n"), (b"of the prompt", b"And then?\n"), (b"of the prompt", b"\x04")])
if status != 0 or shown.count("tokens after") != 2:
    print("two turns and the end:", status, repr(shown[-300:]))
shown, status = talk(sys.argv[1], sys.argv[2], [(b"> ", b"\x03")])
if status != 130 or "waited for" not in shown:
    print("Ctrl-C:", status, repr(shown[-300:]))
