"""Files with one or several defects: read, or refused with a `DataError`; nothing else, and never for long."""

import contextlib
import json
import unicodedata

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.__main__ import main
from analysis.corpora import (
    read_chat_text,
    read_clustering,
    read_conll,
    read_conllu,
    read_conllx,
    read_forms,
    read_nine_columns,
)
from analysis.corpora.bracketed_trees import read_bracketed_trees
from analysis.corpora.ccg_dependencies import read_dependencies
from analysis.corpora.ccgbank import read_auto
from analysis.corpora.chat import read_participants
from analysis.corpora.conll import read_word_tag_head
from analysis.corpora.file_formats import FORMATS, decide_format
from analysis.corpora.penn_trees import read_penn_trees
from analysis.corpora.slashed import read_slashed
from analysis.structures import DataError


def tabbed(*lines):
    return "".join(line.replace(" ", "\t") + "\n" for line in lines)


TEN = "# sent_id = 1\n" + tabbed(
    "1-2 du _ _ _ _ _ _ _ _", "1 de de ADP P _ 3 case _ _", "2 le le DET D A=B 3 det _ _",
    "3 pain pain NOUN N _ 0 root _ _", "", "1 oui oui INTJ _ _ 0 root _ _",
    "1.1 e _ _ _ _ _ _ _ _", "2 ! ! PUNCT _ _ 1 punct _ _",
)  # fmt: skip
NINE = tabbed("1 a _ N N NOUN _ 2 _", "2 b _ V V VERB _ 0 _", "", "1 c _ V V VERB _ 0 _")
Y2008 = tabbed("1 Dogs dog NNS NNS Dogs dog NNS 2 SBJ _ A0", "2 bark bark VBP VBP bark bark VBP 0 ROOT b.01 _")
Y2009 = tabbed("1 Dogs dog dog NNS NNS _ _ 2 2 SBJ SBJ _ _ A0", "2 bark bark bark VBP VBP _ _ 0 0 ROOT ROOT Y b.01 _")
AUTO = (
    "# preface\n\nID=1 PARSER=x NUMPARSE=1\n(<T S[dcl] 1 2>\n  (<T NP 0 1> (<L N NNS NNS dogs N>) )\n"
    "  (<L S[dcl]\\NP VB VB bark S[dcl]\\NP>) )\nID=2, log probability=-1.5\n(<L N/N CD CD 1\\/2 N_1/N_1>)\n"
    "-2.5\nID=3\nFAILED\n"
)
EXTENDED = "#ID=1\n(<T S[dcl] ba 1 2> (<L NP dogs dog NNS O O NP>) (<L S[dcl]\\NP bark bark VBP O O S[dcl]\\NP>) )\n"
CHAT = (
    "@UTF8\n@Begin\n@Languages:\tspa\n@Participants:\tCHI Target_Child , MOT Mother\n"
    "@ID:\tspa|x|CHI|2;06.||||Target_Child|||\n"
    "*MOT:\tal lado [/] lado <del niño> (.) yo [: tú] x@c .\n"
    "%mor:\tprep|a~det|el n|lado^v|ladar prep|de~det|el n|x n|y n|z .\n"
    "%gra:\t1|2|A 2|3|A 3|0|ROOT 4|5|A 5|6|A 6|3|A 7|3|A 8|3|A 9|3|P\n*CHI:\tno .\n%mor:\tco|no .\n@End\n"
)
DEPENDENCIES = "# preface\n\nis_2 (S[dcl]\\NP{Y}<1>)/NP 2 cat_4 0\nthe_3 NP/N 1 cat_4\n<c> the|NP/N\n\n"

READERS = {
    "conllu": (TEN, read_conllu),
    "conllx": (TEN.replace("NOUN", "Nn"), read_conllx),
    "nine-columns": (NINE, read_nine_columns),
    "conll2008": (Y2008, lambda text, **strict: read_conll(text, format="conll2008", **strict)),
    "conll2009": (Y2009, lambda text, **strict: read_conll(text, format="conll2009", **strict)),
    "conll": (TEN, read_conll),
    "word-tag-head": ("a\tN\t2\nb\tV\t0\n\nc\tV\t0\n", read_word_tag_head),
    "words-and-tags": ("the\tD\ncat\tN\n\nran\tV\n", read_clustering),
    "types": ("the\t2\ncat\t3\nran\t4\n", read_clustering),
    "paths": ("00\tthe\t5\n01\tcat\t2\n1\tran\t1\n", read_clustering),
    "map": ("the\t00-L 0.5\t00-R 1.25\t00-freq 5\ncat\t1-L 0.5\t1-R 1\t1-freq 2\n", read_clustering),
    "tags": ("D\nN\n\nV\n", read_clustering),
    "slashed": ("the/D cat/N\nran/V 1/2/X\n", read_slashed),
    "forms": ("walk\twalked\tV;PST\nfly\tflew\tV;PST\nfly\tflies\tV;3;SG\n", read_forms),
    "four columns of forms": ("walk\twalked\tV;PST\t2.5\nfly\tflew\tV;PST\t3\n", read_forms),
    "sorted features": (
        "walk\tV,PST\twalked\nfly\tNOM(1,SG);V\tflew\n",
        lambda text, **s: read_forms(text, sort_features=True, **s),
    ),
    "ccg": (AUTO, read_auto),
    "extended": (EXTENDED, read_auto),
    "dependencies": (DEPENDENCIES, read_dependencies),
    "brackets": (
        "( (S (NP (NN dogs)) (VP (VBP bark))) )\n(S\n (NN cat))\n",
        read_bracketed_trees,
    ),
    "penn": (
        "( (S (NP-SBJ-1 (NN dogs)) (VP (VBP bark) (NP (-NONE- *T*-1)))))\n",
        read_penn_trees,
    ),
    "chat": (CHAT, lambda text, **strict: read_chat_text(text, dependencies=True, exclude_roles=(), **strict)),
    "participants": (CHAT, lambda text, **strict: read_participants([("x.cha", text)])),
}
ODD = [
    "", " ", "\t", "_", "0", "-1", "1-2", "2.1", "²", "９", "1" * 400, "(", ")", "((", "(<T", "(<L", ">)", "~", "$",
    "^", "|",
    "[", "]", "<", "ID=", "#ID=1", "#", "@", "*MOT:", "%mor:", "%gra:", "nan", "inf", "-freq ", "/", "\\", ";", ",",
    "\x1b[2J",
    "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\ufeff", "\ufffd", "e\u0301", "é", "字", "\U0010ffff",
]  # fmt: skip


@st.composite
def spoilt(draw, text):
    """The text with rows dropped, doubled, swapped, cut, or other characters and bytes put in."""
    lines = text.split("\n")
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(lines) - 1))
        line = lines[place]
        at = draw(st.integers(0, len(line)))
        match draw(st.sampled_from(["drop", "double", "swap", "cut", "change", "insert", "cell"])):
            case "drop" if len(lines) > 1:
                del lines[place]
            case "double":
                lines.insert(place, line)
            case "swap":
                other = draw(st.integers(0, len(lines) - 1))
                lines[place], lines[other] = lines[other], line
            case "cut":
                lines[place] = line[:at]
            case "change":
                lines[place] = line[:at] + draw(st.sampled_from(ODD)) + line[at + 1 :]
            case "insert":
                lines[place] = line[:at] + draw(st.sampled_from(ODD)) + line[at:]
            case "cell":
                cells = line.split("\t")
                cells[draw(st.integers(0, len(cells) - 1))] = draw(st.sampled_from(ODD))
                lines[place] = "\t".join(cells)
    content = bytearray("\n".join(lines).encode())
    for _ in range(draw(st.integers(0, 1))):
        if content:
            content[draw(st.integers(0, len(content) - 1))] = draw(st.integers(1, 255))
    return bytes(content)


@pytest.mark.parametrize("name", READERS)
def test_the_files_are_read_before_they_are_spoilt(name):
    text, read = READERS[name]
    found = read(text.encode(), strict=False)
    kinds = {"chat": {"ambiguous"}, "ccg": {"failed parse"}}.get(name, set())
    assert set(getattr(found, "incidents", {"kind": []})["kind"]) - {"format not certain"} == kinds


@pytest.mark.parametrize("name", READERS)
@given(data=st.data())
def test_any_defect_is_read_or_refused(name, data):
    text, read = READERS[name]
    content = data.draw(spoilt(text))
    for strict in (True, False):
        try:
            read(content, strict=strict)
        except DataError as error:
            said = str(error)
            assert not any(unicodedata.category(character) == "Cc" and character not in "\t\n" for character in said)
            assert max(map(len, said.split("\n"))) < 1000, said


@given(st.sampled_from(sorted(READERS)), st.data())
def test_any_defect_leaves_a_format_or_none(name, data):
    with contextlib.suppress(DataError):
        assert decide_format(data.draw(spoilt(READERS[name][0]))).format in FORMATS


COMMANDS = {
    "trees": ["conllu", "conllx", "nine-columns", "conll2008", "conll2009", "word-tag-head"],
    "tags": ["conllu", "conllx", "nine-columns", "words-and-tags", "slashed", "types", "paths", "map", "tags"],
    "types": ["conllu", "words-and-tags", "slashed", "types", "paths"],
    "inflections": ["forms", "four columns of forms", "sorted features"],
    "ccg": ["ccg", "extended"],
}
#: What tags are scored against where the file has clusters of word types, or no words.
TAGGED = {"types": "words-and-tags", "paths": "words-and-tags", "map": "words-and-tags"}


def scored(command, gold, system, *options):
    result = CliRunner().invoke(main, ["evaluate", command, str(gold), str(system), "--format", "json", *options])
    assert result.exit_code in (0, 2), (result.output, result.exception)
    assert isinstance(result.exception, (SystemExit, type(None))), result.exception
    if result.exit_code == 2:
        assert result.stdout == "" and result.stderr.startswith(("Error: ", "Usage: ")), result.output
    return json.loads(result.stdout) if result.exit_code == 0 else None


@pytest.mark.thorough
@pytest.mark.parametrize(("command", "name"), [(command, name) for command in COMMANDS for name in COMMANDS[command]])
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_command_scores_a_spoilt_file_against_all_of_the_gold_standard_or_refuses_it(command, name, data, tmp_path):
    gold, system = tmp_path / "gold", tmp_path / "system"
    gold.write_text(READERS[TAGGED.get(name, name)][0], encoding="utf-8")
    options = ["--resamples", "0"] if command == "ccg" else []
    system.write_text(READERS[name][0], encoding="utf-8")
    whole = scored(command, gold, system, *options)
    assert whole is not None
    system.write_bytes(data.draw(spoilt(READERS[name][0])))
    found = scored(command, gold, system, *options)
    if found is not None and command in ("trees", "tags", "inflections"):
        assert found[0]["denominator"] == whole[0]["denominator"], found[0]
        assert found[0]["numerator"] <= found[0]["denominator"]
    scored(command, system, gold if name not in TAGGED else system, *options)
