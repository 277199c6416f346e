"""The notebook of the examples runs from its first cell to its last, on each device."""

import os

import pytest
from conftest import ROOT
from notebook import run

import whorl

PATH = os.path.join(ROOT, "examples", "heat.ipynb")


def test_the_notebook(device, monkeypatch):
    plain = whorl.Function._device_for
    monkeypatch.setattr(whorl.Function, "_device_for", lambda self, select: plain(self, device))
    made, names = run(PATH)
    outputs = [output for cell in made["cells"] for output in cell.get("outputs", ())]
    html = "".join("".join(output.get("data", {}).get("text/html", ())) for output in outputs)
    assert html.count("data:image/png") >= 3
    said = "".join("".join(output.get("text", ())) for output in outputs)
    assert "500 steps" in said and "@compute" in said
    errors = [output["evalue"] for output in outputs if output["output_type"] == "error"]
    assert "data race" in errors[0] and "u.astype(np.float32)" in errors[1] and len(errors) == 2
    assert names["r"].stats.strategy == ("cpu" if device == "cpu" else "single")
    assert 0 < names["r"].u.mean() < 1


def test_its_outputs_are_in_the_file():
    import json

    with open(PATH) as file:
        cells = [cell for cell in json.load(file)["cells"] if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in cells) and os.path.getsize(PATH) < 200_000
    assert not any("/" + part + "/" in "".join(cell["source"]) for cell in cells for part in ("home", "work", "tmp"))


@pytest.mark.parametrize("cell, right", [("1 / 0", False), ("x = 1\nx", True)])
def test_a_cell_that_fails_is_a_failure(cell, right):
    from notebook import run_cell

    made = {"source": [cell], "metadata": {}}
    if right:
        assert run_cell(made, {}, 1)[0]["data"]["text/plain"] == ["1"]
    else:
        with pytest.raises(ZeroDivisionError):
            run_cell(made, {}, 1)
