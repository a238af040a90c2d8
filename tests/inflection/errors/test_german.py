import pytest

from analysis.inflection.errors.german import german_error, plural_pattern

CASES = {
    "-(e)n": [
        ("Frau", "Frauen"), ("Blume", "Blumen"), ("Löwin", "Löwinnen"), ("Löwin", "Löwinen"), ("Drama", "Dramen"),
        ("Museum", "Museen"), ("Konto", "Konten"), ("Schnipsel", "Schnipseln"), ("Hund", "Hunden"), ("Virus", "Viren"),
        ("Spaß", "Spaßen"),
    ],
    "-e": [
        ("Tag", "Tage"), ("Wunsch", "Wünsche"), ("Wunsch", "Wunsche"), ("Ergebnis", "Ergebnisse"),
        ("Ergebnis", "Ergebnise"),
        ("Baum", "Bäume"), ("Saal", "Säle"), ("Drama", "Dramae"), ("Foto", "Fotoe"), ("Smaragd", "Smarägde"),
        ("Spaß", "Spässe"),
    ],
    "zero": [
        ("Lehrer", "Lehrer"), ("Vater", "Väter"), ("Mutter", "Mütter"), ("Mädchen", "Mädchen"), ("Wagen", "Wägen"),
        ("Pilot", "Pilot"), ("Segel", "Segel"), ("Bruder", "Brüder"), ("Kloster", "Klöster"), ("Apfel", "Äpfel"),
    ],
    "-(e)r": [
        ("Kind", "Kinder"), ("Mann", "Männer"), ("Buch", "Bücher"), ("Haus", "Häuser"), ("Dorf", "Dorfer"),
        ("Auge", "Auger"), ("Tag", "Täger"), ("Volk", "Völker"), ("Ei", "Eier"), ("Brett", "Bretter"),
    ],
    "-s": [
        ("Auto", "Autos"), ("Balkon", "Balkons"), ("Park", "Parks"), ("Tag", "Tags"), ("Uhu", "Uhus"), ("Oma", "Omas"),
        ("Chef", "Chefs"), ("Bild", "Bilds"), ("Frau", "Fraus"), ("Hand", "Hands"),
    ],
    "?": [
        ("Vorsprung", "Vörsprunge"), ("Tag", "Tog"), ("Kind", "Kunder"), ("Bär", "Baren"),
        ("Hand", "Henden"), ("Uhr", "Uhrx"),
        ("Haus", "Hasuer"), ("Tisch", "Tischeen"), ("Lampe", "Lampei"), ("Buch", "Büh"), ("Kanu", "Känue"),
        ("Fisch", "Fischten"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("pattern", "lemma", "form"), [(pattern, *pair) for pattern, pairs in CASES.items() for pair in pairs]
)
def test_the_pattern_that_was_applied_is_found(pattern, lemma, form):
    assert plural_pattern(lemma, form)[0] == pattern


def test_each_class_has_ten_cases():
    assert min(map(len, CASES.values())) >= 10


def test_the_umlaut_is_noted_and_does_not_change_the_class():
    assert plural_pattern("Klotz", "Klötze") == ("-e", True) and plural_pattern("Klotz", "Klotze") == ("-e", False)
    assert german_error("Klotz", "Klötze", "Klotze") == ("-e", "the same pattern, umlaut missing")
    assert german_error("Dekan", "Dekane", "Dekäne") == ("-e", "the same pattern, umlaut added")


def test_a_missing_double_consonant_is_no_error_of_pattern():
    assert german_error("Löwin", "Löwinnen", "Löwinen") == ("-(e)n", "the same pattern, different spelling")


def test_the_gold_pattern_is_told():
    assert german_error("Pilot", "Piloten", "Pilote") == ("-e", "instead of -(e)n")
    assert german_error("Tag", "Tage", "Tog") == ("?", "none of the five patterns")


def test_a_lost_ending_leaves_at_least_two_letters():
    assert plural_pattern("Epos", "Epen") == ("-(e)n", False)
    assert plural_pattern("Bus", "Ben") == ("?", False)
