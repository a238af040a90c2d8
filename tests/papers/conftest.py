"""The papers in ``toys`` are read through ``ANALYSIS_PAPERS`` only; they are not modules of the suite."""

collect_ignore = ["toys"]
