"""The package as it is shipped: its types, its import, and the wheel in a fresh environment."""

import ast
import glob
import os
import re
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from conftest import ROOT, SCALE, has_gpu

import whorl


def test_types():
    found = subprocess.run([sys.executable, "-m", "mypy", "--config-file", "python/pyproject.toml", "--cache-dir",
                            "build/mypy", "python/whorl"], cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


def test_the_oldest_python_can_read_it():
    for path in glob.glob(os.path.join(ROOT, "python", "whorl", "*.py")):
        with open(path) as file:
            ast.parse(file.read(), path, feature_version=(3, 9))


def test_everything_public_is_documented():
    for name in whorl.__all__:
        item = getattr(whorl, name)
        assert isinstance(item, str) or item.__doc__, name
    for item in (whorl.Function, whorl.Result):
        for name in vars(item):
            assert name.startswith("_") or getattr(item, name).__doc__, name


def test_import_takes_less_than_a_tenth_of_a_second(tmp_path):
    """In the processor's time, since other processes take time, too."""
    script = "import time; start = time.process_time(); import whorl; print(time.process_time() - start)"
    env = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""}  # as when it is installed
    assert min(float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True,
                                    env=env).stdout) for _ in range(3)) < 0.1


def test_import_loads_neither_the_library_nor_numpy():
    script = ("import sys, whorl; print(open('/proc/self/maps').read().count('libwhorl'), 'numpy' in sys.modules, "
              "whorl.Result.__module__, whorl.Function.__name__, 'numpy' in sys.modules)")
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert said.strip() == "0 False whorl Function True"


def test_names_that_are_not_there():
    with pytest.raises(AttributeError, match="no attribute 'frobnicate'"):
        whorl.frobnicate


@pytest.fixture(scope="module")
def wheel():
    made = subprocess.run(["make", "--no-print-directory", "wheel"], cwd=ROOT, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": ""})
    assert made.returncode == 0, made.stdout + made.stderr
    found, = glob.glob(os.path.join(ROOT, "build", "wheel", "whorl-*.whl"))
    return found


def test_the_wheel_is_for_every_python_and_small(wheel):
    name = os.path.basename(wheel)
    assert re.fullmatch(r"whorl-%s-py3-none-manylinux_2_\d+_\w+\.whl" % re.escape(whorl.__version__), name), name
    assert os.path.getsize(wheel) < 12_000_000
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read("whorl-%s.dist-info/METADATA" % whorl.__version__).decode()
    for file in ("py.typed", "_lib/libwhorl.so", "_lib/libwgpu_native-release.so", "_lib/whorl", "_functions.py"):
        assert "whorl/" + file in names
    assert re.findall(r"^Requires-Dist: (.*)$", metadata, re.M) == ["numpy>=1.22"]
    for licence in ("whorl", "yyjson", "webgpu-headers", "wgpu"):
        assert any(n.endswith("/licences/" + licence) for n in names), licence


def test_its_library_shows_what_the_header_declares_and_nothing_else(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        library = archive.extract("whorl/_lib/libwhorl.so", tmp_path)
    said = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    names = {line.split()[-1] for line in said.splitlines()}
    header = re.sub(r"//[^\n]*", "", open(os.path.join(ROOT, "include", "whorl.h")).read())
    assert names == set(re.findall(r"\b(whorl_[a-z_]+)\(", header))


def test_the_wheel_in_a_fresh_environment(wheel, tmp_path):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True)
    python = tmp_path / "env" / "bin" / "python"
    tools = {**os.environ, "PYTHONPATH": ""}
    subprocess.run([sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python), "install",
                    "--quiet", "--no-deps", "--no-index", wheel], check=True, env=tools)
    (tmp_path / "numpy_only").mkdir()
    for name in ("numpy", "numpy.libs"):  # its one dependency, without the network
        os.symlink(os.path.join(os.path.dirname(os.path.dirname(np.__file__)), name), tmp_path / "numpy_only" / name)
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "numpy_only")}
    for name in ("WHORL_WEBGPU", "WHORL_LIBRARY"):
        env.pop(name, None)
    script = """
import numpy as np, whorl
for device in %r:
    r = whorl.run(source=%r, x=np.arange(4, dtype=np.float32), a=2, device=device)
    assert r.y.tolist() == [0, 2, 4, 6]
    print(r.stats.strategy)
print(whorl.devices()[0].library)
print(whorl.__file__)
""" % (["cpu", "gpu"] if has_gpu() else ["cpu"], SCALE)
    said = subprocess.run([str(python), "-c", script], capture_output=True, text=True, env=env, cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    assert str(tmp_path / "env") in said.stdout.splitlines()[-1]
    if has_gpu():
        assert said.stdout.splitlines()[:2] == ["cpu", "single"]
        assert "(" + str(tmp_path / "env") in said.stdout.splitlines()[2]  # long paths are cut there
    for command in ([str(tmp_path / "env" / "bin" / "whorl")], [str(python), "-m", "whorl"]):
        said = subprocess.run([*command, "--version"], capture_output=True, text=True, env=env, cwd=tmp_path)
        assert said.stdout.strip() == "whorl " + whorl.__version__, said.stderr


def test_a_call_costs_less_than_200_us_over_the_librarys():
    from overhead import measure

    ours, theirs = measure("cpu", rounds=40)  # the least of each: what other processes take is none of it
    assert min(ours) - min(theirs) < 200
