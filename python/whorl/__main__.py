"""`python -m whorl`: the command line, as it came with the package. docs/cli.md describes it."""

from __future__ import annotations

import os
import sys
from typing import List, NoReturn, Optional

from . import _library


def main(arguments: Optional[List[str]] = None) -> NoReturn:
    command = _library.command_path()
    if command is None:
        sys.exit("whorl: the command is not in this package; in a checkout `make build` makes it")
    library = _library.webgpu_path()
    if library:
        os.environ["WHORL_WEBGPU"] = library
    os.execv(command, ["whorl", *(sys.argv[1:] if arguments is None else arguments)])


if __name__ == "__main__":
    main()
