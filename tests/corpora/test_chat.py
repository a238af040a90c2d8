"""Reading CHAT: conventions word by word, one file per defect, and counts that lose nothing."""

import io
import lzma
import pickle
import tarfile
import zipfile
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.corpora import chat, load, read_chat, read_chat_text
from analysis.corpora.chat_words import main_line, mor_item, plain_words, split_clitics
from analysis.structures import DataError

FOLDER = Path(__file__).parent / "chat"
HEAD = "@UTF8\n@Begin\n@Participants:\tCHI Target_Child , MOT Mother\n"
KITE = ["the", "kite", "is", "up"]


def forms(reading, sentence=None, column="form"):
    tokens = getattr(reading, "tokens", reading)
    chosen = tokens if sentence is None else tokens[tokens["sentence"] == sentence]
    return chosen[column].tolist()


def transcript(*utterances):
    return HEAD + "".join(f"*MOT:\t{main}\n%mor:\t{mor}\n" for main, mor in utterances) + "@End\n"


def outcome(reading, name):
    return int(reading.counts.set_index("outcome").loc[name, "utterances"])


def test_a_sound_transcript_gives_one_row_a_word_and_leaves_out_children():
    tokens = read_chat(FOLDER / "good.cha")
    assert forms(tokens) == KITE
    assert forms(tokens, column="fine") == ["det", "n", "v:cop", "adv:loc"]
    assert forms(tokens, column="lemma") == ["the", "kite", "be", "up"]
    assert forms(tokens, column="position") == [1, 2, 3, 4]
    assert set(forms(tokens, column="role")) == {"Mother"} and set(forms(tokens, column="file")) == {"good.cha"}
    assert tokens["sentence"].dtype == "int32" and tokens["position"].dtype == "int16"
    assert all(isinstance(tokens[column].dtype, pd.CategoricalDtype) for column in tokens.columns[2:])


@pytest.mark.parametrize("name", ["bom", "crlf", "font_before_utf8", "no_id", "continuation_lines"])
def test_what_is_no_defect_of_content_changes_nothing(name):
    reading = read_chat(FOLDER / f"{name}.cha", strict=False)
    assert forms(reading) == KITE
    assert reading.incidents.empty


DEFECTS = {
    "misaligned": (10, "misaligned", "4 words and its %mor tier 3", "*MOT:\tit flies so high ."),
    "terminator_only": (10, "misaligned", "2 words and its %mor tier 0", "*MOT:\tit flies ."),
    "no_tier": (10, "no tier", "2 words and no %mor tier", "*MOT:\tit flies ."),
    "malformed_item": (10, "malformed tier", "'flies' gives no word class", "*MOT:\tit flies ."),
    "tag_none": (10, "malformed tier", "'none|flies' gives no word class", "*MOT:\tit flies ."),
    "unsplit_clitic": (10, "unsplit clitic", "'blorp' cannot be split", "*MOT:\tblorp ."),
    "unknown_speaker": (10, "undeclared speaker", "FAT is not declared", "*FAT:\tit flies ."),
    "stray_line": (10, "stray line", "belongs to no utterance", "and what is this ?"),
    "missing_end": (13, "no @End", "does not end with @End", "%mor:\tpro:poss:det|my n|kite !"),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_an_error_that_names_file_line_text_and_what_was_expected(name):
    line, kind, found, text = DEFECTS[name]
    with pytest.raises(DataError) as error:
        read_chat(FOLDER / f"{name}.cha")
    incident = error.value.incident
    assert (incident.file, incident.line, incident.kind, incident.text) == (f"{name}.cha", line, kind, text)
    assert found in incident.found
    assert "strict=False" in str(error.value)
    written = (FOLDER / f"{name}.cha").read_text(encoding="utf-8").split("\n")[line - 1]
    assert written == text


@pytest.mark.parametrize("name", DEFECTS)
def test_without_strictness_the_rest_is_kept_and_the_defect_is_listed(name):
    line, kind, found, _ = DEFECTS[name]
    reading = read_chat(FOLDER / f"{name}.cha", strict=False)
    assert forms(reading) == KITE
    [incident] = reading.incidents.to_dict("records")
    assert (incident["line"], incident["kind"]) == (line, kind) and found in incident["found"]
    if kind in chat.OUTCOMES:
        assert outcome(reading, kind) == 1


UNREADABLE = {
    "empty": (1, "the file is empty"),
    "html_page": (1, "this is an HTML page"),
    "not_chat": (1, "not a CHAT transcript"),
    "no_utterance": (0, "no utterance"),
    "not_utf8": (10, "0xe9 is not UTF-8"),
}


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("name", UNREADABLE)
def test_a_file_that_is_no_transcript_is_an_error_by_itself(name, strict):
    line, found = UNREADABLE[name]
    with pytest.raises(DataError, match=found) as error:
        read_chat(FOLDER / f"{name}.cha", strict=strict)
    assert (error.value.incident.file, error.value.incident.line) == (f"{name}.cha", line)


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_file_that_is_no_transcript_is_an_incident_beside_others(name):
    reading = read_chat([FOLDER / f"{name}.cha", FOLDER / "good.cha"], strict=False)
    assert forms(reading) == KITE
    assert reading.incidents["file"].tolist() == [f"{name}.cha"]


@pytest.mark.parametrize("strict", [True, False])
def test_an_empty_result_from_a_file_that_is_not_empty_is_an_error(strict):
    with pytest.raises(DataError, match="4 words and its %mor tier 3"):
        read_chat(FOLDER / "all_misaligned.cha", strict=strict)
    with pytest.raises(DataError, match=r"no utterance is left of 1 file.*excluded role: 1"):
        read_chat(FOLDER / "children_only.cha", strict=strict)


def test_a_file_of_which_nothing_is_left_is_named_beside_others():
    reading = read_chat([FOLDER / "all_misaligned.cha", FOLDER / "good.cha"], strict=False)
    assert reading.incidents["kind"].tolist() == ["misaligned", "nothing left"]


def test_media_times_are_no_words():
    assert forms(read_chat(FOLDER / "media_bullets.cha")) == KITE * 2


def test_quotation_marks_and_separators_are_dropped_on_both_tiers():
    tokens = read_chat(FOLDER / "quotes.cha")
    assert forms(tokens, 0) == ["she", "said", "it", "flies", "did", "she"]
    assert forms(tokens, 1) == ["yes", "that", "Tim"]
    assert forms(tokens, 2) == ["she", "said"]


def test_omitted_words_are_dropped_with_their_item_and_actions_are_no_words():
    reading = read_chat(FOLDER / "omitted_words.cha", strict=False)
    assert forms(reading) == ["the", "kite", "up"] * 2
    assert outcome(reading, "no words") == 1 and reading.incidents.empty


def test_the_replacement_is_the_form_and_the_word_as_spoken_stands_beside():
    tokens = read_chat(FOLDER / "replacement.cha")
    assert forms(tokens, 0) == ["it", "will", "n't", "fly"]
    assert forms(tokens, 0, "spoken") == ["it", "won't", "won't", "fly"]
    assert forms(tokens, 1) == ["we", "'re", "going", "to", "fly", "them"]
    assert forms(tokens, 1, "spoken") == ["we", "'re", "gonna", "gonna", "fly", "im"]


def test_contractions_are_words_with_their_own_surface_tag_and_stem():
    tokens = read_chat(FOLDER / "contractions.cha")
    assert forms(tokens, 0) == ["is", "n't", "it", "Tim", "'s"]
    assert forms(tokens, 1) == ["I", "'m", "gon", "na", "look", "because", "you", "ca", "n't"]
    assert forms(tokens, 1, "spoken")[5] == "cause"
    assert forms(tokens, 1, "fine")[2:4] == ["part", "inf"] and forms(tokens, 1, "lemma")[2:4] == ["go", "to"]
    assert forms(tokens, 2) == ["d'", "you", "wha", "t", "cha"]
    assert forms(tokens, 3) == ["the", "boys", "'", "untied", "fire+engine"]
    assert forms(tokens, 3, "spoken")[3] == "unied"
    assert forms(tokens, 3, "fine")[3] == "part" and forms(tokens, 3, "lemma")[3:] == ["untie", "fire+engine"]


def test_retraced_words_are_dropped_at_every_depth():
    tokens = read_chat(FOLDER / "nested_retracing.cha")
    assert forms(tokens, 0) == ["the", "small", "kite", "flies"]
    assert forms(tokens, 1) == ["no", "it", "is"]  # a pause before the mark is passed over


def test_fragments_and_actions_inside_quotation_marks_are_no_words():
    assert forms(read_chat(FOLDER / "fragments_in_quotes.cha")) == ["she", "said", "kite"]


def test_utterances_with_unintelligible_words_are_left_out_also_when_retraced():
    reading = read_chat(FOLDER / "unintelligible.cha", strict=False)
    assert forms(reading) == KITE
    assert outcome(reading, "unintelligible") == 4 and reading.incidents.empty


def test_which_words_are_unintelligible_is_an_argument():
    reading = read_chat(FOLDER / "unintelligible.cha", strict=False, unintelligible=("yyy", "is"))
    assert outcome(reading, "unintelligible") == 2  # yyy, and the first utterance with "is"
    assert forms(reading) == ["the", "kite", "the", "kite", "the"]


def test_which_roles_are_left_out_is_an_argument():
    tokens = read_chat(FOLDER / "good.cha", exclude_roles=("Target_Child",))
    assert forms(tokens) == [*KITE, "my", "kite"]
    assert len(read_chat(FOLDER / "good.cha", exclude_roles=())) == 7
    assert forms(read_chat(FOLDER / "good.cha", exclude_roles=("Mother", "Child"))) == ["kite"]


def test_lower_case_is_an_argument():
    assert forms(read_chat(FOLDER / "quotes.cha", lowercase=True), 1) == ["yes", "that", "tim"]


def test_every_utterance_has_one_outcome():
    readings = read_chat(FOLDER, strict=False)
    counts = readings.counts.set_index("outcome")["utterances"]
    unreadable = {f"{name}.cha" for name in UNREADABLE}
    written = sum(
        path.read_text(encoding="utf-8-sig").count("\n*")
        for path in FOLDER.glob("*.cha")
        if path.name not in unreadable
    )
    assert counts["read"] == written == counts.drop("read").sum()
    assert counts["kept"] == readings.tokens["sentence"].nunique()


def archive_of(folder, kind, path):
    files = sorted(folder.glob("*.cha"))
    if kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            for file in files:
                archive.write(file, file.name)
        return
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for file in files:
            archive.add(file, file.name)
    path.write_bytes(lzma.compress(buffer.getvalue()) if kind == "tar.xz" else buffer.getvalue())


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.xz"])
def test_a_folder_and_its_archive_give_the_same(tmp_path, kind):
    archive_of(FOLDER, kind, tmp_path / f"corpus.{kind}")
    folder, archive = (read_chat(path, strict=False) for path in (FOLDER, tmp_path / f"corpus.{kind}"))
    for one, other in zip(folder, archive, strict=True):
        pd.testing.assert_frame_equal(one, other)


def test_the_number_of_processes_changes_nothing(monkeypatch):
    one = read_chat(FOLDER, strict=False)
    monkeypatch.setattr(chat, "_BYTES_A_CHUNK", 1500)
    for jobs in (1, 2):
        for table, other in zip(one, read_chat(FOLDER, strict=False, n_jobs=jobs), strict=True):
            pd.testing.assert_frame_equal(table, other)
    with pytest.raises(DataError) as serial:
        read_chat(FOLDER)
    with pytest.raises(DataError) as parallel:
        read_chat(FOLDER, n_jobs=2)
    assert str(serial.value) == str(parallel.value)
    assert pickle.loads(pickle.dumps(serial.value)).incident == serial.value.incident


def test_a_damaged_archive_and_a_missing_path_are_said_so(tmp_path):
    damaged = tmp_path / "corpus.tar.xz"
    damaged.write_bytes(lzma.compress(b"x" * 10_000)[:-20])
    with pytest.raises(DataError, match="damaged"):
        read_chat(damaged)
    with pytest.raises(DataError, match="there is no file or folder"):
        read_chat(tmp_path / "nowhere")
    damaged.unlink()
    with pytest.raises(DataError, match=r"there is no \.cha file"):
        read_chat(tmp_path, strict=False)


def test_a_scope_may_be_nested_to_any_depth():
    text = "<" * 5000 + "kite" + ">" * 5000 + " [/] kite ."
    assert main_line(text, frozenset()).words == [("kite", "kite")]


WORDS = st.sampled_from(["kite", "it", "o'clock", "is", "NA", "null", "night+night", "Tim"])


@st.composite
def spoken_lines(draw, depth=0):
    """A main line as CHAT text, and the words that are left of it."""
    pieces, left = [], []
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["word", "pause", "replaced", "retraced", "scope"] if depth < 3 else ["word"]))
        word = draw(WORDS)
        if kind == "word":
            pieces.append(word)
            left.append(word)
        elif kind == "pause":
            pieces.append(draw(st.sampled_from(["(.)", "(..)", "(1.5)", ",", "&um", "&=laughs", "„"])))
        elif kind == "replaced":
            pieces.append(f"{draw(WORDS)} [: {word} {word}] [*]")
            left += [word, word]
        else:
            inner, inner_left = draw(spoken_lines(depth=depth + 1))
            mark = "[//]" if kind == "retraced" else draw(st.sampled_from(["[>]", "[?]", "[= a toy]", "[=! sings]"]))
            pieces.append(f"<{inner}> {mark}")
            left += [] if kind == "retraced" else inner_left
    return " ".join(pieces), left


@given(spoken_lines())
def test_what_is_left_of_a_line_follows_from_how_it_was_built(line):
    text, left = line
    assert [word.form for word in main_line(f"\t{text} .", frozenset({"xxx"})).words] == left


@given(st.lists(st.sampled_from(["kite", "isn't", "I", "as_well", "xxx", ",", "a-b"]), min_size=1, max_size=8))
def test_the_quick_way_agrees_with_the_careful_way(words):
    text = "\t" + " ".join(words) + " ?"
    quick = plain_words(text, frozenset({"xxx", "yyy", "www"}))
    careful = main_line(text, frozenset({"xxx"}))
    if quick is not None:
        assert quick == [word.form for word in careful.words] and not careful.unintelligible
    elif "," not in words[:1]:
        assert "xxx" in words or ", ," in text


@given(st.sampled_from(["it", "Tim", "dogs", "is"]), st.lists(st.sampled_from(["'s", "'ve", "n't", "'d"]), max_size=3))
def test_clitics_come_apart_as_they_were_put_together(host, clitics):
    surfaces = [host, *clitics]
    assert split_clitics("".join(surfaces), len(surfaces)) == surfaces


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60))
def test_any_text_is_read_or_refused_with_a_data_error(text):
    try:
        reading = read_chat_text(HEAD + "*MOT:\tkite .\n%mor:\tn|kite .\n*MOT:\t" + text + "\n@End", strict=False)
    except DataError as error:
        pytest.fail(f"the first utterance is sound: {error}")
    assert forms(reading)[:1] == ["kite"]


def test_items_of_the_tier():
    assert mor_item("n|+n|cow+n|boy-PL").parts == (("n", "cow+boy"),)
    assert mor_item("pre#un#adj|happy-CP").parts == (("adj", "preunhappy"),)
    assert mor_item("L2|pau=done").parts == (("L2", "pau"),)
    assert [mor_item(item) for item in (".", '+"/.', "bq|bq", "0v:cop|is", "tag|tag")] == [None] * 5
    for wrong in ("kite", "|kite", "n|", "n|kite~", "none|kite"):
        with pytest.raises(ValueError, match="gives no word class"):
            mor_item(wrong)


def test_utterances_are_numbered_through_all_files():
    tokens = read_chat([("a.cha", transcript(("kite .", "n|kite .")).encode()), FOLDER / "good.cha"])
    assert tokens["sentence"].tolist() == [0, 1, 1, 1, 1]
    assert list(tokens["file"].cat.categories) == ["a.cha", "good.cha"]


@pytest.mark.real_corpus
def test_manchester_comes_out_as_the_paper_describes_it():
    tokens = load("manchester")
    types = tokens["form"].value_counts()
    assert tokens["sentence"].nunique() == pytest.approx(358_300, rel=0.005)  # the paper: approximately 360,000
    assert len(tokens) == pytest.approx(1_555_500, rel=0.005)  # the paper: approximately 1.5M
    assert (types > 0).sum() == pytest.approx(11_430, rel=0.005)
    assert tokens["fine"].nunique() == 53
    assert types.iloc[:1000].sum() / len(tokens) == pytest.approx(0.945, abs=0.001)  # the paper: 95 %


@pytest.mark.slow
@pytest.mark.real_corpus
def test_the_other_corpora_have_about_five_million_words_of_adults():
    tokens = load("childes")
    assert 4_700_000 < len(tokens) < 5_000_000
    assert not {"Target_Child", "Child"} & set(tokens["role"].unique())


# Damage and hard lines ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.xz", "tar.gz", "tar.bz2", "tgz"])
def test_an_archive_that_breaks_off_anywhere_is_refused_not_read_in_part(tmp_path, kind):
    path = tmp_path / f"corpus.{kind}"
    if kind == "zip":
        archive_of(FOLDER, kind, path)
    else:
        mode = {"tar": "w", "tar.xz": "w:xz", "tar.gz": "w:gz", "tar.bz2": "w:bz2", "tgz": "w:gz"}[kind]
        with tarfile.open(path, mode) as archive:
            for file in sorted(FOLDER.glob("*.cha")):
                archive.add(file, file.name)
    whole = path.read_bytes()
    expected = read_chat(FOLDER, strict=False).tokens
    pd.testing.assert_frame_equal(read_chat(path, strict=False).tokens, expected)
    last = max(i for i in range(0, len(whole), 512) if any(whole[i : i + 512])) if kind == "tar" else len(whole) - 512
    for size in (0, 5, 512, 1024, 1500, len(whole) // 2 // 512 * 512, last, last + 512 if kind == "tar" else last + 1):
        path.write_bytes(whole[:size])
        with pytest.raises(DataError, match=r"is damaged.*Fetch it again|(?s:is damaged.*Fetch it again)"):
            read_chat(path, strict=False)


@pytest.mark.parametrize("kind", ["zip", "tar.xz", "tar.gz"])
def test_altered_bytes_in_an_archive_are_refused(tmp_path, kind):
    path = tmp_path / f"corpus.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(FOLDER / "good.cha", "good.cha")
    else:
        with tarfile.open(path, f"w:{kind[-2:]}") as archive:
            archive.add(FOLDER / "good.cha", "good.cha")
    content = bytearray(path.read_bytes())
    for place in range(60, 100):
        content[place] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(DataError, match="is damaged"):
        read_chat(path)


def test_a_zip_with_a_password_is_named(tmp_path):
    path = tmp_path / "corpus.zip"
    archive_of(FOLDER, "zip", path)
    content = bytearray(path.read_bytes())
    for sign, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = content.find(sign)
        content[place + flags] |= 1
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"corpus\.zip: the file is encrypted: .*password"):
        read_chat(path, strict=False)


def test_folders_and_broken_links_with_the_name_of_a_transcript_are_passed_over(tmp_path):
    (tmp_path / "folder.cha").mkdir()
    (tmp_path / "folder.cha" / "good.cha").write_bytes((FOLDER / "good.cha").read_bytes())
    (tmp_path / "link.cha").symlink_to(tmp_path / "nowhere.cha")
    assert set(read_chat(tmp_path)["file"]) == {"folder.cha/good.cha"}


def test_an_utterance_with_two_tiers_is_an_incident():
    text = transcript(("look .", "v|look .")).replace("@End", "*MOT:\tkite .\n%mor:\tn|kite .\n%mor:\tv|kite .\n@End")
    reading = read_chat_text(text, "twice.cha", strict=False)
    assert forms(reading) == ["look"] and outcome(reading, "malformed tier") == 1
    [incident] = reading.incidents.to_dict("records")
    assert (incident["kind"], incident["line"]) == ("malformed tier", 6)
    assert "more than one %mor tier" in incident["found"]


def test_a_speaker_without_a_colon_is_named_in_one_line():
    text = transcript(("look .", "v|look .")).replace("@End", "*MOT\n%mor:\tn|kite .\n@End")
    reading = read_chat_text(text, "colon.cha", strict=False)
    assert forms(reading) == ["look"]
    assert reading.incidents["kind"].tolist() == ["undeclared speaker"]
    assert reading.incidents["found"].tolist() == ["the speaker MOT is not declared in @ID or @Participants"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("[a [b] c", "c"),
        ("a] b [c", "a b c"),
        ("a [[ b] c [d [e", "a c d e"),
        ("a [= x [y] z", "a z"),
        ("b(a (c", "ba c"),
    ],
)
def test_brackets_that_are_not_closed_only_separate(line, expected):
    assert [word.form for word in main_line(line, frozenset()).words] == expected.split()


def test_a_line_of_nothing_but_open_brackets_is_read():
    assert main_line("[" * 300_000 + "a", frozenset()).words[0].form == "a"
    assert main_line("a" + "(" * 300_000, frozenset()).words[0] == ("a", "a" + "(" * 300_000)
