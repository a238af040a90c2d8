import pytest

from analysis.corpora.folders import notebooks_folder

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser
OTHERS = sorted(path.name for path in notebooks_folder().glob("*.ipynb") if not path.name.startswith("01_"))


@pytest.mark.parametrize("name", OTHERS)
def test_the_notebook_runs_in_jupyterlab_and_its_first_sliders_move_without_a_complaint(open_notebook, name):
    lab = open_notebook(name)
    assert lab.complaints() == []
    sliders = lab.panel.get_by_role("slider")
    for number in range(min(3, sliders.count())):
        slider = sliders.nth(number)
        slider.scroll_into_view_if_needed()
        if slider.is_enabled():
            slider.focus()
            lab.page.keyboard.press("ArrowRight")
            lab.settle()
    assert lab.complaints() == []
