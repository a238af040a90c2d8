"""The example of the page on grids, run as it stands."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_example_of_the_page_computes_a_grid_and_draws_it(tmp_path):
    page = (ROOT / "docs" / "grids.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
    file = tmp_path / "grid.py"
    file.write_text(code + 'print(len(runs), sorted(means["linkage"].unique()))\n', encoding="utf-8")
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run(
        [sys.executable, file], cwd=tmp_path, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["24", "['average',", "'complete']"]
    assert (tmp_path / "grid.pdf").read_bytes().startswith(b"%PDF")
