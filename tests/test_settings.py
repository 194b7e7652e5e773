"""Settings: four layers, validated; a project file may only leave more of an output untouched."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from token_saver import settings, settings_keys
from token_saver.errors import SettingsError
from token_saver.settings_keys import KEYS, Key

ROOT = Path(__file__).parent.parent


class House:
    """A home directory with a user file and a project below it."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.project = self.home / "code" / "project"
        self.cwd = self.project / "src" / "deep"
        self.cwd.mkdir(parents=True)
        (self.project / ".git").mkdir()
        self.user_file = root / "config" / "token-saver" / "config.toml"
        self.user_file.parent.mkdir(parents=True)
        self.project_file = self.project / ".token-saver.toml"

    def load(self, **variables: str) -> settings.Settings:
        return settings.load(str(self.cwd), {"HOME": str(self.home), **variables})

    def messages(self, **variables: str) -> str:
        return "\n".join(str(problem) for problem in self.load(**variables).problems)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return House(tmp_path)


def valid_text(key: Key) -> str:
    """Return a value of *key* other than its default, as TOML."""
    if key.kind is bool:
        return str(not key.default).lower()
    if key.kind is tuple:
        return '["one", "two"]'
    if key.kind is str:
        return '"somewhere"'
    return str(key.kind(key.high))


def test_every_default_is_valid_by_its_own_rules() -> None:
    """A default is within the range that its key states, and the help is one sentence."""
    for key in KEYS.values():
        assert key.kind in (bool, int, float, str, tuple), key.name
        if isinstance(key.default, (int, float)) and key.kind is not bool:
            assert key.in_range(key.default), key.name
        assert key.help.endswith("."), key.name
        assert key.name == key.name.lower()


def test_without_files_and_variables_the_defaults_hold(house: House) -> None:
    """Nothing to read is no problem, and every key knows that it is a default."""
    loaded = house.load()
    assert loaded.as_dict() == {name: key.default for name, key in KEYS.items()}
    assert loaded.problems == ()
    assert {loaded.provenance(name).layer for name in KEYS} == {"default"}


def test_each_layer_wins_over_the_one_below(house: House) -> None:
    """Environment over project over user over default, and the provenance names the winner."""
    house.user_file.write_text("min_gain = 10\n")
    assert house.load().get("min_gain") == 10
    assert str(house.load().provenance("min_gain")) == f"user ({house.user_file})"
    house.project_file.write_text("min_gain = 20\n")
    assert house.load().get("min_gain") == 20
    assert str(house.load().provenance("min_gain")) == f"project ({house.project_file})"
    loaded = house.load(TOKEN_SAVER_MIN_GAIN="5")
    assert loaded.get("min_gain") == 5
    assert str(loaded.provenance("min_gain")) == "environment (TOKEN_SAVER_MIN_GAIN)"


@pytest.mark.parametrize("name", KEYS)
def test_the_user_file_may_set_every_key(house: House, name: str) -> None:
    """Every key can be set by the user, and the value keeps its type."""
    key = KEYS[name]
    house.user_file.write_text(f"{name} = {valid_text(key)}\n")
    loaded = house.load()
    assert loaded.problems == ()
    assert type(loaded.get(name)) is key.kind
    assert loaded.get(name) != key.default


@pytest.mark.parametrize("name", [name for name, key in KEYS.items() if key.scope == "user"])
def test_a_project_file_is_refused_what_the_user_decides(house: House, name: str) -> None:
    """A user key in a project file changes nothing and is named with its file and line."""
    house.project_file.write_text(f"# ours\n{name} = {valid_text(KEYS[name])}\n")
    loaded = house.load()
    assert loaded.get(name) == KEYS[name].default
    hint = f"set it in your own settings file or as TOKEN_SAVER_{name.upper()}"
    assert house.messages() == f"{house.project_file}:2: {name} is refused from a project file; {hint}"


def test_what_hides_runs_or_retains_is_the_users() -> None:
    """The keys that switch masking off, load code or keep data are never a project's."""
    reserved = {
        "enabled",
        "disabled_processors",
        "redact",
        "redaction_allowlist",
        "user_processors_dir",
        "wrap_timeout",
        "delta_enabled",
        "delta_retention_hours",
        "delta_max_runs",
        "telemetry_enabled",
        "telemetry_store_commands",
        "db_prune_days",
        "recall_enabled",
    }
    assert {name for name in reserved if KEYS[name].scope != "user"} == set()


@pytest.mark.parametrize(
    ("user", "project", "stands"),
    [
        ("recover_critical_lines = 30", "recover_critical_lines = 5", 30),
        ("recover_critical_lines = 30", "recover_critical_lines = 50", 50),
        ("max_result_tokens = 500", "max_result_tokens = 100", 500),
        ("max_result_tokens = 500", "max_result_tokens = 0", 0),
        ("", "max_result_tokens = 500", 0),
        ("max_chain_depth = 2", "max_chain_depth = 3", 2),
        ("max_chain_depth = 2", "max_chain_depth = 0", 0),
        ("", "source_outline = true", False),
        ("source_outline = true", "source_outline = false", False),
        ("min_compression_ratio = 0.5", "min_compression_ratio = 0", 0.5),
    ],
)
def test_a_project_file_may_only_show_more(house: House, user: str, project: str, stands: object) -> None:
    """A threshold moves only in the direction that leaves more of the output, seen from the user's value."""
    house.user_file.write_text(user)
    house.project_file.write_text(project)
    loaded = house.load()
    name = project.split()[0]
    assert loaded.get(name) == stands
    moved = loaded.provenance(name).layer == "project"
    assert moved == (not loaded.problems)


@given(st.sampled_from([key for key in KEYS.values() if key.project]), st.data())
def test_no_project_value_ranks_below_the_current_one(key: Key, data: st.DataObject) -> None:
    """Of two values at most one may replace the other, unless they are equal."""
    values = st.booleans() if key.kind is bool else st.integers(int(key.low), int(key.high))
    one, other = data.draw(values), data.draw(values)
    assert key.allows_in_project(one, one)
    if one != other:
        assert key.allows_in_project(one, other) != key.allows_in_project(other, one)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("min_gian = 3", "1: unknown key min_gian; did you mean min_gain?"),
        ("zebra = 3", "1: unknown key zebra; `token-saver config show` lists the keys"),
        ("[engine]\nmin_gain = 3", "1: unknown key engine; `token-saver config show` lists the keys"),
        ("min_gain = 0", "1: min_gain must be from 1 to 100,000,000, not 0; it stays as it was"),
        ("min_gain = true", "1: min_gain must be a whole number, not True; it stays as it was"),
        ("min_gain = 1.5", "1: min_gain must be a whole number, not 1.5; it stays as it was"),
        ("enabled = 1", "1: enabled must be true or false, not 1; it stays as it was"),
        ("chars_per_token = 0", "1: chars_per_token must be from 0.1 to 100, not 0; it stays as it was"),
        ("chars_per_token = nan", "1: chars_per_token must be from 0.1 to 100, not nan; it stays as it was"),
        ("max_result_tokens = 3", "must be from 50 to 10,000,000, or 0 for no limit, not 3"),
        ("disabled_processors = 'git'", "must be a list of strings, not 'git'"),
        ("disabled_processors = [1]", "must be a list of strings, not [1]"),
        ("user_processors_dir = 3", "must be a string, not 3"),
        ("user_processors_dir = true", "must be a string, not True"),
        ("enabled = 'true'", "must be true or false, not 'true'"),
        ("enabled = true\nmin_gain = ", "2: not valid TOML: "),
        ("a = " + "[" * 5000, "not valid TOML"),
        ("a = " + "9" * 5000, "not valid TOML"),
    ],
)
def test_what_is_wrong_is_named_and_changes_nothing(house: House, line: str, says: str) -> None:
    """Each kind of mistake has a message with the file and line, and every default stands."""
    house.user_file.write_text(line)
    loaded = house.load()
    assert f"{house.user_file}:" in house.messages()
    assert says in house.messages()
    assert len(loaded.problems) == 1
    assert loaded.as_dict() == {name: key.default for name, key in KEYS.items()} | (
        {"enabled": True} if "enabled = true" in line else {}
    )


def test_one_bad_line_does_not_spoil_the_others(house: House) -> None:
    """Good keys of a file count although another key is wrong."""
    house.user_file.write_text("min_gain = 7\nchars_per_token = 0\n\nrecover_critical_lines = 9\n")
    loaded = house.load()
    assert (loaded.get("min_gain"), loaded.get("recover_critical_lines")) == (7, 9)
    assert [problem.line for problem in loaded.problems] == [2]


@pytest.mark.parametrize("spoil", ["directory", "pipe", "binary", "large", "dangling"])
def test_a_file_that_cannot_be_read_is_named(house: House, spoil: str) -> None:
    """A folder, a pipe, bytes that are not UTF-8 or a huge file in a file's place are problems, not errors."""
    if spoil == "directory":
        house.project_file.mkdir()
    elif spoil == "pipe":
        os.mkfifo(house.project_file)
    elif spoil == "binary":
        house.project_file.write_bytes(b"min_gain = 3 # \xff\xfe\n")
    elif spoil == "large":
        house.project_file.write_text("# padding\n" * 40_000)
    else:
        house.project_file.symlink_to("nowhere")
    loaded = house.load()
    assert loaded.get("min_gain") == 1
    assert len(loaded.problems) == (spoil != "dangling")


def test_a_byte_order_mark_is_no_problem(house: House) -> None:
    """Editors on Windows begin a file with one."""
    house.user_file.write_bytes(b"\xef\xbb\xbfmin_gain = 3\r\n")
    assert house.load().get("min_gain") == 3
    assert house.load().problems == ()


def test_the_nearest_project_file_counts(house: House) -> None:
    """A file beside the working directory hides the one at the root of the repository."""
    house.project_file.write_text("min_gain = 20\n")
    (house.cwd / ".token-saver.toml").write_text("min_gain = 30\n")
    assert house.load().get("min_gain") == 30


def test_the_search_ends_at_the_repository_and_at_home(house: House, tmp_path: Path) -> None:
    """A file above the repository, above home, or anywhere above a directory outside of both is not ours."""
    for directory in (house.home / "code", tmp_path):
        (directory / ".token-saver.toml").write_text("min_gain = 99\n")
    assert house.load().get("min_gain") == 1
    home = str(house.home)
    assert settings.find_project_file(str(house.home), home) is None
    assert settings.find_project_file(str(house.home / "code"), home) == str(house.home / "code" / ".token-saver.toml")
    below = house.home / "code" / "no repository" / "deep"
    assert settings.find_project_file(str(below), home) == str(house.home / "code" / ".token-saver.toml")
    outside = tmp_path / "outside" / "deep"
    outside.mkdir(parents=True)
    assert settings.find_project_file(str(outside), home) is None
    assert settings.find_project_file(str(tmp_path), home) == str(tmp_path / ".token-saver.toml")


@pytest.mark.parametrize(
    ("variable", "text", "value"),
    [
        ("ENABLED", "no", False),
        ("REDACT", "ON", True),
        ("MIN_GAIN", " 12 ", 12),
        ("CHARS_PER_TOKEN", "3.5", 3.5),
        ("CHARS_PER_TOKEN", "3", 3.0),
        ("DISABLED_PROCESSORS", "git, pytest,", ("git", "pytest")),
        ("DISABLED_PROCESSORS", "", ()),
        ("USER_PROCESSORS_DIR", "a,b", "a,b"),
        ("MIN_GAIN", "", 1),
    ],
)
def test_variables_are_read_by_the_type_of_their_key(house: House, variable: str, text: str, value: object) -> None:
    """Words for yes and no, numbers and lists with commas; an empty number counts as not set."""
    loaded = house.load(**{f"TOKEN_SAVER_{variable}": text})
    assert loaded.problems == ()
    assert loaded.get(variable.lower()) == value
    assert type(loaded.get(variable.lower())) is type(value)


def test_wrong_variables_are_named(house: House) -> None:
    """A value that does not fit and a near miss are problems; a variable of another part of the tool is not."""
    said = house.messages(
        TOKEN_SAVER_MIN_GAIN="lots", TOKEN_SAVER_CHARS_PER_TOKENS="3", TOKEN_SAVER_SESSION="x", TOKEN_SAVER="maybe"
    )
    assert said.splitlines() == [
        "TOKEN_SAVER_CHARS_PER_TOKENS: unknown variable; did you mean TOKEN_SAVER_CHARS_PER_TOKEN?",
        "TOKEN_SAVER_MIN_GAIN: min_gain must be a whole number, not 'lots'; it stays as it was",
        "TOKEN_SAVER: this is neither on nor off; it is ignored",
    ]


@pytest.mark.parametrize("word", ["off", "OFF", "0", "false", "no"])
def test_one_switch_turns_everything_off(house: House, word: str) -> None:
    """TOKEN_SAVER=off wins over every layer and names itself."""
    loaded = house.load(TOKEN_SAVER=word, TOKEN_SAVER_ENABLED="true")
    assert loaded.get("enabled") is False
    assert str(loaded.provenance("enabled")) == "environment (TOKEN_SAVER)"
    assert house.load(TOKEN_SAVER="on").get("enabled") is True


def test_settings_are_read_only(house: House) -> None:
    """Neither an attribute nor the copy of the values changes what others read."""
    loaded = house.load()
    with pytest.raises(AttributeError):
        loaded.problems = ()
    loaded.as_dict()["enabled"] = False
    assert loaded.get("enabled") is True


@pytest.mark.parametrize("ask", ["get", "provenance"])
def test_a_key_that_does_not_exist_is_an_error_of_ours(house: House, ask: str) -> None:
    """The caller learns the nearest name."""
    with pytest.raises(SettingsError, match="unknown key min_gian; did you mean min_gain"):
        getattr(house.load(), ask)("min_gian")


def test_load_finds_its_own_surroundings(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without arguments the working directory and the process's environment count."""
    house.project_file.write_text("min_gain = 20\n")
    monkeypatch.chdir(house.cwd)
    monkeypatch.setenv("HOME", str(house.home))
    monkeypatch.setenv("TOKEN_SAVER_MAX_CHAIN_DEPTH", "1")
    loaded = settings.load()
    assert (loaded.get("min_gain"), loaded.get("max_chain_depth")) == (20, 1)


@pytest.fixture(scope="module", autouse=True)
def no_settings_of_this_machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("empty")))
        yield


@given(st.binary(max_size=200))
def test_no_file_makes_loading_fail(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    """Whatever stands in a project file, loading returns settings and leaves the user's keys alone."""
    directory = tmp_path_factory.mktemp("any")
    (directory / ".token-saver.toml").write_bytes(content)
    loaded = settings.load(str(directory), {"HOME": str(directory)})
    assert loaded.get("redact") is True


def test_importing_settings_loads_nothing_heavy() -> None:
    """The table and the reader come without a TOML parser, paths, dataclasses or regular expressions."""
    heavy = {"tomllib", "platformdirs", "re", "typing", "dataclasses", "enum", "pathlib", "json", "difflib", "logging"}
    script = "import sys; sys.path.insert(0, sys.argv[1]); import token_saver.settings; print(' '.join(sys.modules))"
    src = str(Path(settings_keys.__file__).parent.parent)
    loaded = subprocess.run([sys.executable, "-I", "-S", "-c", script, src], capture_output=True, text=True, check=True)
    assert heavy & set(loaded.stdout.split()) == set()


def test_the_page_on_configuration_is_fresh() -> None:
    """docs/configuration.md is what scripts/make_docs.py makes of the table."""
    command = [sys.executable, str(ROOT / "scripts" / "make_docs.py"), "settings", "--check"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
