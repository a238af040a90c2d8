"""The built-in language as a corpus of the catalogue; importing this module registers ``"nursery"``."""

from functools import partial

from analysis.corpora.language.parts import nursery
from analysis.corpora.loaders import Loader, register

register("nursery", Loader(parts={part: partial(nursery, part) for part in ("train", "test")}))
