import pytest

from analysis import explore
from analysis.papers import reichart2010

FEW = {"sweeps": 3, "gj_clusters": 6, "gj_sweeps": 5, "vb_passes": 2, "infinite_sweeps": 2, "infinite_start": 4}
SETTING = reichart2010.Setting(corpus="nursery", gold="coarse", runs=1, **FEW)


@pytest.mark.thorough
def test_the_explorer_of_sweeps_shows_the_clusters_and_scores_of_the_sweep_chosen():
    explorer = explore.clusters_over_sweeps("GJ08", SETTING)
    samples = reichart2010.samples(SETTING, systems=["GJ08"])
    assert explorer.value["sweep"] == 5 and explorer.value["samples"].equals(samples)
    explorer.set(sweep=2, clusters=4)
    assert explorer.value["words"].equals(reichart2010.cluster_words(SETTING, "GJ08", 2, clusters=4))
    bars, lines = explorer.figure().axes
    assert bars.get_title() == "GJ08: the largest clusters after sweep 2" and len(bars.get_yticks()) == 4
    assert lines.get_lines()[0].get_ydata().tolist() == samples["V"].tolist()
    assert list(lines.get_lines()[2].get_xdata()) == [2, 2]
    shown = explorer._output.outputs
    assert len(shown) == 3 and "after sweep 2, with 6 clusters" in shown[0]["data"]["text/plain"]
    assert shown[1]["data"]["text/plain"].startswith("sweep 2: 6 clusters, log probability -")
