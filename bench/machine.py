"""What a measurement is made with: versions of programs and packages, and the host. Standard library only."""
import importlib.metadata
import os
import pathlib
import platform
import re
import shutil
import subprocess

PACKAGES = ("numpy", "jax", "jaxlib", "jax-cuda13-plugin", "jax-cuda12-plugin", "torch", "triton")


def read(path):
    return pathlib.Path(path).read_text() if os.path.exists(path) else ""


def versions(whorl, root):
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            pass
    for name, command in (("cc", [os.environ.get("CC", "cc"), "--version"]), ("nvcc", ["nvcc", "--version"]),
                          ("whorl", [whorl, "--version"]), ("commit", ["git", "rev-parse", "--short", "HEAD"])):
        if shutil.which(command[0]):
            said = subprocess.run(command, capture_output=True, text=True, cwd=root)
            lines = said.stdout.strip().splitlines()
            if said.returncode == 0 and lines:
                found[name] = lines[3 if name == "nvcc" and len(lines) > 3 else 0]
    if "WHORL_COMMIT" in os.environ:  # of programs that were built elsewhere
        found["commit"] = os.environ["WHORL_COMMIT"]
    return found


def host():
    system = re.search(r'PRETTY_NAME="(.*)"', read("/etc/os-release"))
    processor = re.search(r"model name\s*: (.*)", read("/proc/cpuinfo"))
    virtual = read("/sys/class/dmi/id/product_name").strip() if re.search(r"\bhypervisor\b", read("/proc/cpuinfo")) else ""
    return {"processor": processor.group(1) if processor else platform.processor(), "cores": os.cpu_count(),
            "system": system.group(1) if system else platform.system(), "kernel": platform.release(),
            "virtualisation": virtual or ("yes" if re.search(r"\bhypervisor\b", read("/proc/cpuinfo")) else "none seen")}


def boot():
    """Names this start of this machine."""
    return read("/proc/sys/kernel/random/boot_id").strip()


def gpu():
    """NVIDIA's names of the GPUs that are here; empty elsewhere."""
    if not shutil.which("nvidia-smi"):
        return ""
    said = subprocess.run(["nvidia-smi", "--query-gpu=uuid", "--format=csv,noheader"], capture_output=True, text=True)
    return " ".join(said.stdout.split())


def clocks():
    """Of NVIDIA's GPUs, at this moment, in MHz: {"sm", "memory", "sm_most"}; empty elsewhere."""
    if not shutil.which("nvidia-smi"):
        return {}
    said = subprocess.run(["nvidia-smi", "--query-gpu=clocks.sm,clocks.mem,clocks.max.sm", "--format=csv,noheader,nounits"],
                          capture_output=True, text=True)
    values = said.stdout.strip().splitlines()[:1]
    return dict(zip(("sm", "memory", "sm_most"), values[0].split(", "))) if said.returncode == 0 and values else {}
