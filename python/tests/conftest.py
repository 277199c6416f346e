"""Programs and devices of the tests. tests/python.sh runs them against the package in this checkout and its build."""

import os
import warnings

import numpy as np
import pytest

import whorl

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

SCALE = """
void scale(int n, float a, const float x[n], float y[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = a * x[i] + y[i];
}
"""
STEPS = """
void grow(int n, int steps, float u[n]) {
    for (int t = 0; t < steps; t++) {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
            u[i] = 0.5f * u[i] + 1.0f;
    }
}
"""
# `| 2` keeps v from 1.
ENDLESS = """
void endless(int n, int x[n]) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        x[i] += 2;
    int v = x[0];
    while (v != 1)
        v = (v * 4 + 2) | 2;
    x[0] = v;
}
"""


def has_gpu():
    if os.environ.get("SKIP_GPU"):
        return False
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", whorl.DeviceWarning)
        return not whorl.devices()[0].is_cpu


@pytest.fixture(params=["cpu", "gpu"])
def device(request):
    """Both devices, one after the other."""
    if request.param == "gpu" and not has_gpu():
        pytest.skip("there is no GPU, not even one in software")
    return request.param


@pytest.fixture
def gpu():
    if not has_gpu():
        pytest.skip("there is no GPU, not even one in software")
    return "gpu"


@pytest.fixture(scope="session")
def scale():
    return whorl.function(source=SCALE, device="cpu")


@pytest.fixture
def x():
    return np.arange(6, dtype=np.float32)


def program(name):
    return os.path.join(ROOT, "programs", name)
