"""What is in the wheel is what is in the tree, and importing the package does nothing."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NOT_INSTALLED = {"tests", "benchmarks", "examples", "docs", "build", "dist"}


def _package_folders() -> set[str]:
    found = {path.parent.relative_to(ROOT) for path in ROOT.rglob("__init__.py")}
    kept = {f for f in found if not any(part.startswith(".") or part in NOT_INSTALLED for part in f.parts)}
    return {".".join(("veriloop", *folder.parts)) for folder in kept}


def _declared() -> set[str]:
    with (ROOT / "pyproject.toml").open("rb") as stream:
        return set(tomllib.load(stream)["tool"]["setuptools"]["packages"])


def test_every_folder_with_code_is_declared_as_a_package() -> None:
    assert _package_folders() == _declared()


@pytest.mark.slow
def test_the_wheel_holds_the_trees_folders_and_data(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=250)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.startswith("veriloop-")}
    folders = {str(Path(name).parent).replace("/", ".") for name in names if name.endswith(".py")}
    assert folders == _declared()
    wanted = {"py.typed", "configs/offline.yaml", "configs/openai.yaml", "configs/bge.yaml"}
    wanted |= {"knowledge/store/schema.sql", "prompts/zh/answer.md", "prompts/en/answer.md"}
    assert {f"veriloop/{name}" for name in wanted} <= names
    for package in _declared():
        folder = ROOT.joinpath(*package.split(".")[1:])
        tree = {f"{package.replace('.', '/')}/{path.name}" for path in folder.glob("*.py")}
        assert tree <= names


def test_importing_the_package_loads_nothing_else() -> None:
    code = "import sys, veriloop; print([m for m in ('langgraph', 'numpy', 'pydantic', 'faiss') if m in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert result.stdout.strip() == "[]"


def test_every_public_name_can_be_imported() -> None:
    import veriloop

    for name in veriloop.__all__:
        assert getattr(veriloop, name) is not None
