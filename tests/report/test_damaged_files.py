"""Whatever happens to the lines of a file, a command scores it or refuses it in one message."""

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.__main__ import main

pytestmark = pytest.mark.thorough

TREES = ""
for name, words in {"s1": ["a 2", "b 0", "c 2"], "s2": ["d 2", "e 0"], "s3": [". 0"]}.items():
    rows = enumerate(map(str.split, words), 1)
    TREES += (
        f"# sent_id = {name}\n" + "".join(f"{i}\t{w}\t_\tNOUN\tN\t_\t{h}\tdep\t_\t_\n" for i, (w, h) in rows) + "\n"
    )
AUTO = "".join(
    f"ID={name}\n(<T S[dcl] 0 2> (<L NP NNS NNS dogs NP>) (<L S[dcl]\\NP VBP VBP {verb} S[dcl]\\NP>) )\n"
    for name, verb in (("a", "bark"), ("b", "swim"), ("c", "run"))
)
FORMS = "fly\tflew\tV;PST\nwalk\twalked\tV;PST\ngo\twent\tV;PST\n"
WORDS = "the\tD\ndog\tN\n\nruns\tV\n.\t.\n"
FILES = {"tags": WORDS, "types": TREES, "trees": TREES, "ccg": AUTO, "inflections": FORMS}


@st.composite
def damaged(draw, text):
    """Lines dropped, doubled, swapped or cut, and characters replaced."""
    lines = text.split("\n")
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["drop", "double", "swap", "cut", "replace"]))
        one, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        place = draw(st.integers(0, len(lines[one])))
        if kind == "drop" and len(lines) > 1:
            del lines[one]
        elif kind == "double":
            lines.insert(one, lines[one])
        elif kind == "swap":
            lines[one], lines[other] = lines[other], lines[one]
        elif kind == "cut":
            lines[one] = lines[one][:place]
        elif kind == "replace":
            lines[one] = lines[one][:place] + draw(st.sampled_from("\t _0(<>é#9\x01")) + lines[one][place + 1 :]
    return "\n".join(lines)


@pytest.mark.parametrize("command", FILES)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_file_is_scored_or_refused_in_one_message(command, data, tmp_path):
    whole = FILES[command]
    texts = [whole, data.draw(damaged(whole))]
    if data.draw(st.booleans()):
        texts.reverse()
    files = [tmp_path / "gold.txt", tmp_path / "mine.txt"]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, encoding="utf-8")
    words = [
        "evaluate",
        command,
        *map(str, files),
        *data.draw(st.sampled_from([[], ["--strict"], ["--format", "csv"]])),
    ]
    result = CliRunner().invoke(main, words + (["--resamples", "0"] if command == "ccg" else []))
    assert result.exit_code in (0, 2), result.output
    assert ("Error: " in result.stderr) == (result.exit_code == 2)
    assert result.stdout or result.exit_code == 2
