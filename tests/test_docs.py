"""What the documents say is what happens: README examples run, the command page is current."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import advisor
from advisor.cli import COMMANDS, main
from docs.generate import PAGE, text

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
CONSOLE = re.findall(r"```console\n\$ advisor (.*?)\n(.*?)```", README, re.S)


@pytest.mark.parametrize(("command", "printed"), CONSOLE, ids=[c for c, _ in CONSOLE])
def test_readme_commands_print_what_the_readme_shows(
    command: str, printed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(main, shlex.split(command))
    pattern = re.escape(printed.strip()).replace(re.escape("..."), ".*")
    assert re.fullmatch(pattern, result.output.strip(), re.S), result.output


def test_readme_shows_commands() -> None:
    assert len(CONSOLE) >= 3


def test_readme_position_is_the_example_file() -> None:
    block = re.search(r"```yaml\n(.*?)```", README, re.S)
    assert block
    assert advisor.loads(block[1]) == advisor.load(ROOT / "docs" / "example.yaml")


def test_readme_python_runs_and_prints_its_comments(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    block = re.search(r"```python\n(.*?)```", README, re.S)
    assert block
    exec(block[1], {})  # noqa: S102 - our own README
    expected = re.findall(r"print\(.*#\s*(.*)", block[1])
    assert capsys.readouterr().out.splitlines() == expected


def test_command_page_is_current() -> None:
    assert PAGE.read_text("utf-8") == text(), "run `make docs`"
    assert all(f"## advisor {name}\n" in text() for name in COMMANDS)


def test_links_in_documents_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *ROOT.glob("positions/*/*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_version_is_the_same_everywhere() -> None:
    metadata = (ROOT / "pyproject.toml").read_text("utf-8")
    assert f'version = "{advisor.__version__}"' in metadata
    assert f"## {advisor.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")
