"""One session through the real hooks and tools: afterwards every outcome that a column allows has occurred."""

from __future__ import annotations

import json
import re
import subprocess
from typing import Any

import pytest
from memory_bench import Bench
from token_saver_memory import ledger, schema, tools

from token_saver import cli, mcp_server
from token_saver.extensions import McpContext

pytestmark = pytest.mark.slow

OF_EXTRAS = {"item_vector", "calibration"}
"""Tables that only the optional vectors write."""


class Story(Bench):
    """A session in which everything happens once."""

    def tool(self, name: str, **arguments: Any) -> str:
        answer = mcp_server.called(tools.mcp_tools(), name, arguments, McpContext(str(self.repo), "s1"))
        assert not answer.is_error, answer.text
        return answer.text

    def bash(self, command: str, *, ran: bool = False) -> str:
        call: dict[str, Any] = {"tool_name": "Bash", "tool_input": {"command": command}}
        if ran:
            return self.hear("PostToolUse", **call, tool_response={"stdout": "", "stderr": ""})
        return self.hear("PreToolUse", **call)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Story:
    made = Story(tmp_path_factory.mktemp("story"))
    made.compile()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOKEN_SAVER_DATA_DIR", str(made.data))
        tell(made)
    assert "Error" not in made.trouble(), made.trouble()
    return made


def tell(story: Story) -> None:
    (story.repo / "src" / "pay.py").write_text("def charge(sum):\n    return sum * 100\n")
    commit = "git -c user.name=a -c user.email=a@b add -A && git -c user.name=a -c user.email=a@b commit -qm first"
    subprocess.run(commit, shell=True, check=True, cwd=story.repo)
    story.hear("UserPromptSubmit", prompt="always use tabs in the payment service")
    port = {"type": "config", "title": "Port of payments", "why": "legacy", "symbol": "charge", "file": "src/pay.py"}
    story.tool("memory_save", **port, body="listens on 8940")
    story.tool("memory_save", **port, body="listens on 8941")
    story.tool("memory_save", type="ruled_out", title="caching the charges", why="wrong sums", file="src/pay.py")
    story.tool("memory_save", type="decision", title="Deploys happen on Tuesdays", body="after the standup")
    story.tool("memory_save", type="decision", title="Deploys happen on Tuesdays", body="after standup", subject="release day")
    story.tool("memory_save", type="note", title="The logo is drawn by Kim", body="in Inkscape")
    prompt_that_matches(story)
    steps_of_the_tools(story)
    rules(story)
    story.hear("SessionEnd", reason="exit")


def prompt_that_matches(story: Story) -> None:
    story.hear("UserPromptSubmit", prompt="I already told you that the payments port is 8941")
    story.hear("UserPromptSubmit", prompt="I already told you that the payments port is 8941")
    (number,) = story.rows("SELECT id FROM visible_item WHERE body = 'listens on 8941'")[0]
    story.tool("memory_get", ids=[number])
    story.hear("UserPromptSubmit", prompt="zebras graze quietly")
    story.hear("PreToolUse", tool_name="Edit", tool_input={"file_path": "src/pay.py", "old_string": "def charge(sum):"})
    story.hear("PostToolUse", tool_name="Edit", tool_input={"file_path": "src/pay.py"}, tool_response={})
    todos = [{"content": "write the tests", "status": "pending"}]
    story.hear("PostToolUse", tool_name="TodoWrite", tool_input={"todos": todos}, tool_response={})
    story.hear("SessionStart", source="startup")


def steps_of_the_tools(story: Story) -> None:
    listed = story.tool("memory_index")
    numbers = {title: int(number) for number, title in re.findall(r"^#(\d+) \w+: (.+?) \[", listed, re.MULTILINE)}
    story.tool("memory_get", ids=[numbers["Port of payments"]])
    story.tool("memory_index", limit=4)
    story.tool("memory_judge", id=numbers["Deploys happen on Tuesdays"], verdict="useful")
    story.tool("memory_judge", id=numbers["The logo is drawn by Kim"], verdict="wrong")
    story.tool("memory_judge", id=numbers["The logo is drawn by Kim"], verdict="forget", reason="no use")
    story.tool("memory_judge", id=numbers["The logo is drawn by Kim"], verdict="restore")
    story.tool("memory_judge", id=numbers["The logo is drawn by Kim"], verdict="forget", reason="no use")


def rules(story: Story) -> None:
    assert "To insist" in story.bash("git push --force") and story.bash("git push --force") == ""
    assert story.bash("git reset --hard") and story.bash("psql -c 'drop table a'")
    story.bash("pg_dump shop > shop.sql", ran=True)
    assert story.bash("psql -c 'drop table b'") == ""
    assert story.bash("chmod 777 a") and story.bash("chmod 777 b")
    story.bash("git commit -m 'Charge in cents'", ran=True)
    story.bash("systemctl enable payments", ran=True)


def allowed(table: str, column: str) -> set[str]:
    body = re.search(rf"CREATE TABLE {table} \((.*?)\n\) STRICT", schema.text_of("schema.sql"), re.DOTALL)
    assert body is not None
    values = re.search(rf"\n    {column} TEXT[^\n]*CHECK \({column} IN \(([^)]*)\)", body[1])
    assert values is not None
    return set(re.findall(r"'(\w+)'", values[1]))


@pytest.mark.parametrize(("table", "column"), [("impression", "outcome"), ("ledger", "outcome"), ("ledger", "kind")])
def test_every_value_that_is_allowed_occurred(story: Story, table: str, column: str) -> None:
    found = {row[0] for row in story.rows(f"SELECT DISTINCT {column} FROM {table} WHERE {column} IS NOT NULL")}
    assert found == allowed(table, column)


def test_every_column_of_every_table_was_written(story: Story) -> None:
    tables = [row[0] for row in story.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%_fts%'")]
    empty = []
    for table in (name for name in tables if not name.startswith("sqlite_") and name not in OF_EXTRAS):
        for row in story.rows(f"SELECT name FROM pragma_table_xinfo('{table}')"):
            if not story.rows(f"SELECT 1 FROM {table} WHERE {row[0]} IS NOT NULL LIMIT 1"):
                empty.append(f"{table}.{row[0]}")
    assert empty == []


def test_what_the_session_was_about_stands_in_its_rollup(story: Story) -> None:
    found = story.rows("SELECT request, investigated, learned, completed, next_steps, notes FROM rollup")
    ((request, investigated, learned, completed, next_steps, notes),) = found
    assert request.startswith("always use tabs") and investigated == "src/pay.py" and completed == "Charge in cents"
    assert "Port of payments" in learned and "logo" not in learned and next_steps == "write the tests" and "fetched" in notes


def test_the_balance_is_of_what_was_measured(story: Story) -> None:
    with story.memory() as memory:
        scope = memory.scope(str(story.repo))
        assert scope is not None
        found = ledger.balance(memory.connection, scope.project_id)
    assert found.counts["refusal"] == {"acted_on": 2, "insisted": 1} and found.miss_rate == 0.5
    assert found.spent_tokens and found.taken_up_share is not None and 0 < found.taken_up_share < 1
    assert not any("no data" in line for line in ledger.described(found))


def test_the_commands_tell_of_it(story: Story, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("TOKEN_SAVER_DATA_DIR", str(story.data))
    monkeypatch.chdir(story.repo)
    assert cli.main(["memory", "stats"]) == 0
    assert "refusal: 2 acted_on, 1 insisted" in capsys.readouterr().out
    assert cli.main(["memory", "evaluate"]) == 0
    shown = capsys.readouterr().out
    assert "learnt:" in shown and "SNIPS too few events" in shown
    assert cli.main(["memory", "evaluate", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["policies"][0]["estimates"][1]["value"] is None


def test_nothing_is_left_running(story: Story) -> None:
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(story.root) not in listed
