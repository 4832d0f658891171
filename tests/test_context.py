"""What a run is given: put together when it is needed, and not before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from langgraph.runtime import Runtime
from support.documents import filled
from veriloop.context import Context, resources


def test_tools_are_put_together_when_a_step_asks_for_them_and_once(tmp_path: Path) -> None:
    with filled(tmp_path) as library:
        given = resources(Runtime(context=Context(library=library)))
        assert "tools" not in vars(given)
        assert "search_documents" in given.tools and given.tools is given.tools


def test_a_plain_question_loads_no_patterns_of_calculations_and_no_checks_of_interfaces(tmp_path: Path) -> None:
    filled(tmp_path).close()
    code = (
        "import sys\n"
        "from support.documents import lexical_settings\n"
        "from veriloop import Library, build_agent\n"
        "with Library.open(sys.argv[1], lexical_settings()) as library:\n"
        "    print(build_agent(library).ask('质量保证期是多久？').status.value)\n"
        "print([name for name in ('veriloop.tools.calculate.phrases', 'jsonschema') if name in sys.modules])\n"
    )
    command = [sys.executable, "-X", "utf8", "-c", code, str(tmp_path / "library")]
    found = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=Path(__file__).parent)
    assert found.stdout.split("\n")[-3:] == ["answered", "[]", ""], found.stderr
