"""Runs the cells of a notebook as Jupyter does, without Jupyter: one namespace, the last expression of a cell is shown.

    PYTHONPATH=python:build/deps/python python3 python/tests/notebook.py examples/heat.ipynb [--write]

--write puts what the cells print and show now into the file. A cell with the tag `raises-exception` has to raise.
"""

import ast
import contextlib
import io
import json
import os
import sys


def shown(value):
    data = {"text/plain": repr(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_().splitlines(keepends=True)
    return data


def run_cell(cell, names, count):
    """The cell's outputs, as a notebook has them."""
    text, outputs = "".join(cell["source"]), []
    tree = ast.parse(text)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            exec(compile(tree, "cell %d" % count, "exec"), names)
            value = eval(compile(ast.Expression(last.value), "cell %d" % count, "eval"), names) if last else None
        if value is not None:
            outputs.append({"output_type": "execute_result", "execution_count": count, "metadata": {},
                            "data": shown(value)})
        raised = None
    except Exception as error:
        raised = error
        outputs.append({"output_type": "error", "ename": type(error).__name__, "evalue": str(error),
                        "traceback": ["%s: %s" % (type(error).__name__, error)]})
    expected = "raises-exception" in cell["metadata"].get("tags", ())
    if expected != (raised is not None):
        raise raised or AssertionError("cell %d should have raised" % count)
    if said.getvalue():
        outputs.insert(0, {"output_type": "stream", "name": "stdout",
                           "text": said.getvalue().splitlines(keepends=True)})
    return outputs


def run(path):
    """The notebook with the outputs of its cells, run in its own folder."""
    with open(path) as file:
        notebook = json.load(file)
    assert notebook["nbformat"] == 4 and notebook["nbformat_minor"] >= 5
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    before, names, count = os.getcwd(), {"__name__": "__main__"}, 0
    os.chdir(os.path.dirname(os.path.abspath(path)))
    try:
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                cell["outputs"], cell["execution_count"] = run_cell(cell, names, count), count
    finally:
        os.chdir(before)
    return notebook, names


if __name__ == "__main__":
    made, _ = run(sys.argv[1])
    if "--write" in sys.argv:
        with open(sys.argv[1], "w") as out:
            json.dump(made, out, indent=1, ensure_ascii=False)
            out.write("\n")
    else:
        for one in made["cells"]:
            for output in one.get("outputs", ()):
                print("".join(output.get("text") or output.get("data", {}).get("text/plain") or output["traceback"]))
