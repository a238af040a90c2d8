"""What the commands that score files share: their options, systems of several runs, and where scores go."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from analysis.commands.base import BY, SEED, Problem, Written, options
from analysis.commands.files import FIGURES, FileCommand, systems_of

FORMATS = ("table", "csv", "json", "latex", "html")
LISTS = ("costliest", "confusion")
TESTS = ("bootstrap", "sign flips")
_MOST = 20

by_option = click.option(
    "--by", type=click.Choice(BY), metavar="GROUPS",
    help="Divide the scores, with the n of each group. tags: tag, cluster, frequency, sentence length, seen; types: "
    "frequency; trees: relation, tag, distance, length (1 to 9), frequency, sentence length, seen; ccg, brackets: "
    "relation, sentence length; inflections: features, frequency, letters, seen. seen needs --training.",
)  # fmt: skip
training_option = click.option(
    "--training", metavar="FILE", type=click.Path(),
    help="Text, in any format, whose words are seen, and whose frequencies --by frequency takes.",
)  # fmt: skip


def _check_resamples(_context: object, _parameter: object, value: int) -> int:
    """Refuse one resample, of which there is no interval."""
    if value == 1:
        raise Problem("--resamples is 1; it must be at least 2, or 0 for no intervals.")
    return value


_INTERVALS = options(
    click.option("--no-intervals", is_flag=True, help="Give no confidence intervals."),
    click.option(
        "--resamples", default=1000, show_default=True, type=click.IntRange(min=0),
        callback=_check_resamples, help="Of the bootstrap, at least 2; 0: no intervals.",
    ),
    click.option("--confidence", default=0.95, show_default=True, type=float, help="Of the intervals."),
    click.option(
        "--seed", "random_state", default=0, show_default=True, type=SEED, help="Of whatever is drawn at random."
    ),
)  # fmt: skip
_RESULTS = options(
    click.option(
        "--compare/--no-compare", default=None,
        help="Test each SYSTEM against the first, on the same units; p is corrected for all tests (Holm). Default: "
        "with several systems and intervals, below the scores, in CSV and JSON beside them. --compare: differences "
        "alone; --no-compare: scores alone.",
    ),
    click.option(
        "--test", type=click.Choice(TESTS),
        help="Of the comparison, for ratios of single runs (attachment, brackets, CCG, groups of words): the bootstrap "
        "of the interval, or sign flips, which exchange the two systems on units at random. Measures of entropy have a "
        "t test of the jackknife, inflected forms McNemar's. Default: bootstrap.",
    ),
    click.option(
        "--references", is_flag=True,
        help="Also score ceilings, floors and random systems (of CCG of lexical categories alone, since branching "
        "trees have no categories; of brackets branching and flat trees).",
    ),
    click.option(
        "--list", "listed", type=click.Choice(LISTS),
        help="Instead of scores: the words, pairs or answers that cost each system most, or the confusion of gold tags "
        "and clusters, read one-to-one (tags, types; of trees and inflections what costs most).",
    ),
    click.option("--most", type=click.IntRange(min=1), help="Rows of --list costliest.  [default: 20]"),
    click.option("--format", "kind", type=click.Choice(FORMATS), default="table", show_default=True),
    click.option(
        "--output", "-o", metavar="FILE", type=Written(dash=True), help="Write there instead of standard output."
    ),
    click.option(
        "--plot", metavar="FILE", type=Written(),
        help="Draw values, or differences, with their intervals, or --list confusion: FILE.svg, .pdf or .png.",
    ),
    click.option(
        "--incidents", "incidents_file", metavar="FILE", type=Written(),
        help="Write all that is wrong with the files into FILE (CSV).",
    ),
    click.option("--strict", is_flag=True, help="Refuse the first defect. Default: score what can be, name the rest."),
    click.option("--encoding", metavar="NAME", help="Of all files. Default: UTF-8, or UTF-16 by its mark."),
)  # fmt: skip


#: Options that change scores and no list.
_OF_SCORES = {
    "no_intervals": "--no-intervals", "resamples": "--resamples", "confidence": "--confidence",
    "random_state": "--seed", "by": "--by",
}  # fmt: skip


class Scoring(FileCommand):
    """A command that scores files; it writes the table of incidents even if it fails."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except MemoryError as error:
            names = [ctx.params["gold"], *ctx.params["systems"]]
            raise Problem(f"memory does not suffice to score {', '.join(map(str, names))}.") from error
        except ValueError as error:
            if ctx.params["incidents_file"] is not None:
                from analysis.evaluation.incidents import write_incidents

                last = getattr(error, "incident", None)
                found = [*found_incidents(), *getattr(error, "gathered", ()), *([last] if last else [])]
                write_incidents(ctx.params["incidents_file"], dict.fromkeys(found))
            raise


def found_incidents() -> list[Any]:
    """Defects found so far in the files of the running command."""
    found: list[Any] = click.get_current_context().meta.setdefault("incidents", [])
    return found


def scoring_options(command: Callable[..., None]) -> Callable[..., None]:
    """Options of all commands that score files; the command gets them as one `Report`, and ``strict``, ``encoding``."""
    return _INTERVALS(_RESULTS(_with_report(command)))


def result_options(command: Callable[..., None]) -> Callable[..., None]:
    """Those of `scoring_options` but for the intervals."""
    return _RESULTS(_with_report(command))


def _with_report(command: Callable[..., None]) -> Callable[..., None]:
    @wraps(command)
    def run(**given: Any) -> None:
        own = {each.name: given.pop(each.name) for each in fields(Report) if each.name in given}
        command(report=Report(**own), **given)

    return run


@dataclass(frozen=True)
class Report:
    """What becomes of scores: intervals, comparison, format, and where they are written."""

    compare: bool | None
    kind: str
    output: str | None
    plot: str | None
    incidents_file: str | None
    references: bool = False
    test: str | None = None
    listed: str | None = None
    most: int | None = None
    resamples: int = 1000
    confidence: float = 0.95
    random_state: int = 0
    no_intervals: bool = False

    def intervals(self) -> Any:
        """The options of the intervals, as the library takes them."""
        from analysis.evaluation.scoring import IntervalOptions
        from analysis.statistics.resampling import check_confidence

        check_confidence(self.confidence)
        return IntervalOptions(
            self.resamples, self.confidence, self.random_state, not self.no_intervals and self.resamples > 0
        )

    def needs_common(self, arguments: Sequence[str]) -> bool:
        """Whether files must be scored on the same units: systems are compared, or one has several runs."""
        return bool(self.compare) or any(len(files) > 1 for files in systems_of(arguments).values())

    def compares(self, named: Mapping[str, Sequence[str]]) -> bool:
        """Whether systems are compared: as asked for, or as they are several with intervals."""
        several = len(named) > 1 and self.intervals().shown and self.listed is None
        return several if self.compare is None else self.compare

    def give(self, score: Callable[[list[str]], list[Any]], arguments: Sequence[str]) -> None:
        """Score the files of all systems, and print or write what is asked for.

        Parameters
        ----------
        score : callable
            Takes the files, returns one `analysis.evaluation.scoring.Run` for each.
        arguments : sequence of str
            See `systems_of`.

        Raises
        ------
        Problem
            If every measure is a ratio over nothing, or there is nothing to compare.
        """
        options, named = self.intervals(), systems_of(arguments)
        if self.compare and len(named) < 2:
            raise Problem("--compare needs two systems or more; the first is the baseline.")
        if self.test is not None and not self.compares(named):
            raise Problem("--test is the test of a comparison: add --compare and a second system, or leave out --test.")
        if self.compare and not options.shown:
            raise Problem("--compare needs resamples: leave out --no-intervals and --resamples 0.")
        if self.compare and self.references:
            raise Problem("--references are scores, no differences: leave out --compare.")
        if self.plot is not None and Path(self.plot).suffix.lower() not in FIGURES:
            raise Problem(f"{self.plot}: a figure is written as {', '.join(FIGURES[:-1])} or {FIGURES[-1]}.")
        if self.most is not None and self.listed != "costliest":
            raise Problem("--most is the number of rows of --list costliest: add that, or leave out --most.")
        if self.listed is not None:
            self._check_list(named)
        systems = _by_system(named, score([file for files in named.values() for file in files]))
        self._check_something(systems)
        if self.listed is not None:
            self._write_list(systems)
            return
        records, differences = self._records(systems, options)
        self._write(records, differences, systems, named)

    def _check_list(self, named: Mapping[str, Sequence[str]]) -> None:
        if self.compare or self.references:
            raise Problem("--list takes the place of scores: leave out --compare and --references.")
        if self.plot is not None and (self.listed != "confusion" or len(named) > 1):
            raise Problem("--plot draws scores, or --list confusion of one system.")
        if self.kind not in ("table", "csv", "json"):
            raise Problem("--list is given as table, csv or json.")
        if any(len(files) > 1 for files in named.values()):
            raise Problem("--list is of single files: name each run as a system.")
        source_of = click.get_current_context().get_parameter_source
        for name, option in _OF_SCORES.items():
            if source_of(name) is click.core.ParameterSource.COMMANDLINE:
                raise Problem(f"--list takes the place of scores, and {option} is of scores: leave out {option}.")

    def _write_list(self, systems: Mapping[str, list[Any]]) -> None:
        """What costs each system most, or its confusion, in place of scores."""
        from analysis.commands.base import records_text
        from analysis.corpora.opening import write_text
        from analysis.evaluation.incidents import incident_lines, write_incidents
        from analysis.evaluation.records import frame_records

        records = []
        for name, (run,) in systems.items():
            if self.listed not in run.lists:
                there = f"; there is {', '.join(run.lists)}" if run.lists else ""
                raise Problem(f"these scores have no list {self.listed}{there or ', nor another'}: leave out --list.")
            table = run.lists[self.listed]()
            if self.plot is not None:
                from analysis.commands.showing import plot_confusion

                plot_confusion(table, self.plot, name)
            table = table.head(self.most or _MOST) if self.listed == "costliest" else table
            records += [{"system": name, **record} for record in frame_records(table)]
        text = records_text(records, self.kind)
        if self.output in (None, "-"):
            click.echo(text, nl=False)
        else:
            write_text(str(self.output), text)
        for line in incident_lines(found_incidents()):
            click.echo(line, err=True)
        if self.incidents_file is not None:
            write_incidents(self.incidents_file, found_incidents())

    def _records(
        self, systems: Mapping[str, list[Any]], options: Any
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """What is shown, and the differences that are shown with it."""
        from analysis.evaluation.scoring import compare_runs, reference_records, with_intervals

        test: Any = self.test or "bootstrap"
        every = [run for runs in systems.values() for run in runs]
        several = len(every) > len(systems)
        if several and not (options.shown or self.compare):
            raise Problem("scores of several runs need resamples: leave out --no-intervals and --resamples 0.")
        if self.compare:
            records = compare_runs(systems, options, test=test).differences
            self._check_test(records)
            return records, []
        records, differences = self._compared(systems, options) if self.compares(systems) else ([], [])
        if not records:
            records = compare_runs(systems, options).scores if several else with_intervals(every, options)
        if self.references:
            firsts = [runs[0] for runs in systems.values()]
            records += reference_records(firsts, options, records[0])
        return records, differences

    def _compared(
        self, systems: Mapping[str, list[Any]], options: Any
    ) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Scores and differences; nothing, which is said, if the systems cannot be compared and nobody asked for it."""
        from analysis.evaluation.scoring import compare_runs, scores_beside_differences

        test: Any = self.test or "bootstrap"
        try:
            if any(len(runs) > 1 for runs in systems.values()):
                found = compare_runs(systems, options, test=test)
            else:
                found = scores_beside_differences({name: runs[0] for name, runs in systems.items()}, options, test=test)
        except ValueError as error:
            if self.test is not None:
                raise
            brackets = next(iter(systems.values()))[0].scored.task == "brackets"
            more = " --compare leaves out of all what one leaves out." if brackets else ""
            click.echo(f"not compared: {error}{more}", err=True)
            return [], []
        self._check_test(found.differences)
        return found

    def _check_test(self, differences: Sequence[Mapping[str, Any]]) -> None:
        if self.test == "sign flips" and all(record["test"] != self.test for record in differences):
            raise Problem("none of these measures is tested by sign flips; leave out --test.")

    def _check_something(self, systems: Mapping[str, list[Any]]) -> None:
        from analysis.evaluation.incidents import incident_lines, write_incidents

        records = [record for runs in systems.values() for run in runs for record in run.records]
        if any(record["value"] is not None or record["denominator"] != 0 for record in records):
            return
        incidents = found_incidents()
        if self.incidents_file is not None:
            write_incidents(self.incidents_file, incidents)
        found = "; ".join(incident_lines(incidents) or dict.fromkeys(record["conventions"] for record in records))
        raise Problem(f"nothing is left to score ({found}).")

    def _write(
        self,
        records: list[dict[str, Any]],
        differences: list[dict[str, Any]],
        systems: Mapping[str, list[Any]],
        named: Mapping[str, Sequence[str]],
    ) -> None:
        from analysis.commands.showing import shown_scores
        from analysis.evaluation.incidents import incident_lines, with_incidents, write_incidents
        from analysis.evaluation.scoring import with_differences

        incidents = found_incidents()
        if self.kind in ("csv", "json"):
            files = dict(zip(systems, named.values(), strict=True))
            records = with_incidents(records, incidents, as_text=self.kind == "csv", files=files)
            if differences:
                records = with_differences(records, _measures_of(records, systems), differences)
        text = shown_scores(records, self.kind, self.confidence, differences)
        if self.plot is not None:
            from analysis.commands.showing import plot_scores

            plot_scores(records, self.plot, self.confidence)
        if self.output in (None, "-"):
            click.echo(text, nl=False)
        else:
            from analysis.corpora.opening import write_text

            write_text(self.output, text)
        if self.kind not in ("csv", "json"):
            for line in incident_lines(incidents):
                click.echo(line, err=True)
        if self.incidents_file is not None:
            write_incidents(self.incidents_file, incidents)


def _measures_of(records: Sequence[Mapping[str, Any]], systems: Mapping[str, list[Any]]) -> list[str]:
    """Name of the measure of each score as it is compared; of ceilings and floors there is none."""
    if any(len(runs) > 1 for runs in systems.values()):
        return [record["measure"] for record in records if record["system"] in systems]
    return [name for (run,) in systems.values() for name in run.measures]


def _by_system(named: Mapping[str, Sequence[str]], runs: list[Any]) -> dict[str, list[Any]]:
    """Runs by system; a name that was given takes the place of the file's."""
    found: dict[str, list[Any]] = {}
    rest = iter(runs)
    for name, files in named.items():
        own = [next(rest) for _ in files]
        if tuple(files) == (name,):
            name = own[0].system
        if name in found:
            raise Problem(f"two systems have the name {name}; name one of them otherwise: NAME=FILE.")
        own = [replace(run, system=name, records=[{**record, "system": name} for record in run.records]) for run in own]
        found[name] = own
    return found
