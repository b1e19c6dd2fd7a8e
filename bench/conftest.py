"""Shared by the benchmarks: rates beside times."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    terminalreporter.write_sep("-", "rates (best round / median round)")
    for bench in config._benchmarksession.benchmarks:
        per_round = bench.extra_info.get("per_round")
        if per_round:
            unit = bench.extra_info.get("unit", "a second")
            best, median = per_round / bench.stats.min, per_round / bench.stats.median
            terminalreporter.write_line(f"{bench.name:58} {best:>14,.0f} / {median:>14,.0f} {unit}")
