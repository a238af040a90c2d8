"""The papers in ``toys`` are read through ``ANALYSIS_PAPERS`` only; they are no modules of the suite."""

collect_ignore = ["toys"]
