"""Settings: one file holds every default, the environment wins, and what is wrong is one sentence."""

import os
import re
import tomllib
from pathlib import Path

import pytest

from bot import settings as module
from bot.errors import UserError
from bot.settings import CONFIG, NAMES, load, processors
from tests.helpers.cases import each


def test_the_file_names_every_setting_but_the_token_with_a_comment() -> None:
    text = (CONFIG / "sandtable.toml").read_text()
    assert set(tomllib.loads(text)) == set(NAMES) - {"token"}
    for paragraph in text.split("\n\n"):
        assert paragraph.startswith("# ")


def test_the_environment_wins_over_the_file_of_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load().workers == min(2, processors())
    Path("config").mkdir()
    Path("config", "sandtable.toml").write_text("workers = 5\ncache = 7\n")
    monkeypatch.setenv("SANDTABLE_CACHE", "9")
    assert (load().workers, load().cache) == (5, 9)


@pytest.mark.parametrize(
    ("usable", "limit", "count"), [(1, "max 100000", 1), (4, "max 100000", 2), (4, "50000 100000", 1), (4, None, 2)]
)
def test_the_number_of_workers_follows_the_processors(
    usable: int, limit: str | None, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: set(range(usable)), raising=False)
    monkeypatch.setattr(module, "CPU_LIMIT", tmp_path / "cpu.max")
    if limit:
        (tmp_path / "cpu.max").write_text(f"{limit}\n")
    assert load().workers == count


def test_an_empty_data_folder_means_the_users_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("SANDTABLE_DATA", raising=False)
    assert load().data == tmp_path / "sandtable"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("workers = 0", "`workers` .* a whole number from 1 to 64, or empty"),
        ('workers = "x"', "`workers` .* a whole number from 1 to 64, or empty"),
        ("cache = true", "`cache` .* a whole number of 1 or more"),
        ("log = 1", "`log` .* it is `DEBUG`, `INFO`, `WARNING` or `ERROR`"),
        ("workrs = 3", "no setting `workrs`, which .* names. Did you mean `workers`"),
        ("workers = ", "cannot be read"),
        ('messages = "no"', "`messages` .* it is `true` or `false`"),
        ('api = "discord.com"', "`api` .* an address such as `https://discord.com/api/v10`"),
        ('metrics = "9464"', r"`metrics` .* an address such as `127\.0\.0\.1:9464`"),
    ],
)
def test_a_wrong_settings_file_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("config").mkdir()
    Path("config", "sandtable.toml").write_text(text)
    with pytest.raises(UserError) as error:
        load()
    assert re.search(sentence, error.value.text)
    assert "\n" not in error.value.text


def test_an_unknown_setting_in_the_environment_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_WORKRES", "3")
    with pytest.raises(UserError, match=r"no setting `SANDTABLE_WORKRES`, .* Did you mean `SANDTABLE_WORKERS`\?"):
        load()


def test_what_kubernetes_adds_to_the_environment_is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_PORT", "tcp://10.0.0.7:8080")
    monkeypatch.setenv("SANDTABLE_PORT_8080_TCP_ADDR", "10.0.0.7")
    monkeypatch.setenv("SANDTABLE_SERVICE_HOST", "10.0.0.7")
    load()
    monkeypatch.setenv("SANDTABLE_PORT", "8080")
    with pytest.raises(UserError, match="no setting `SANDTABLE_PORT`"):
        load()


@each([("log", "info", "INFO"), ("log_format", "JSON", "json"), ("messages", "FALSE", False)])
def test_words_of_settings_may_be_in_small_or_capital_letters(name: str, given: str, value: object) -> None:
    assert getattr(load(**{name: given}), name) == value


def test_a_tilde_is_the_home_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load(data="~/odds").data == tmp_path / "odds"


def test_the_token_is_hidden_in_texts_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDTABLE_TOKEN", "very-secret")
    settings = load()
    assert "very-secret" not in f"{settings} {settings!r}"
    assert settings.token == "very-secret"


@pytest.mark.parametrize("token", ["abc\ndef", "ab\x01c", "two words"])
def test_a_token_of_several_words_is_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    with pytest.raises(UserError, match="a token is one word, without line breaks") as error:
        load(token=token)
    assert token not in error.value.text


@pytest.mark.parametrize("token", ['"abc"', "'abc'", "“abc”"])
def test_a_token_in_quotation_marks_is_refused_and_not_repeated(token: str) -> None:
    with pytest.raises(UserError, match="a token has no quotation marks") as error:
        load(token=token)
    assert "abc" not in error.value.text


def test_an_impossible_port_is_refused() -> None:
    with pytest.raises(UserError, match="a port is a number from 1 to 65535"):
        load(metrics="127.0.0.1:99999")


def test_a_folder_named_as_the_settings_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("config", "sandtable.toml").mkdir(parents=True)
    with pytest.raises(UserError, match="is no file"):
        load()


@each(
    [
        ({"database": "postgresql://sand:very-secret@db/table"}, "postgresql://sand:very-secret@db/table"),
        ({"database": "postgres:///table?host=/run/postgresql"}, "postgres:///table?host=/run/postgresql"),
        ({"redis": "rediss://:very-secret@cache:6380/1"}, "rediss://:very-secret@cache:6380/1"),
        ({"redis": ""}, ""),
    ]
)
def test_addresses_are_hidden_in_texts_of_the_settings(given: dict[str, str], address: str) -> None:
    settings = load(**given)
    assert address in (settings.database, settings.redis)
    assert "very-secret" not in f"{settings} {settings!r}"


@each(
    [
        ("database", "mysql://sand:very-secret@db/table"),
        ("database", "postgresql://sand:very-secret@db"),
        ("database", "postgresql://sand:very-secret@/table"),
        ("database", "postgresql://sand:very-secret@db:port/table"),
        ("database", "postgresql://sand:very-secret@db:99999/table"),
        ("database", "postgresql://sand:very-secret @db/table"),
        ("database", "very-secret"),
        ("redis", "http://:very-secret@cache"),
        ("redis", "redis://:very-secret@"),
        ("redis", "redis://:very-secret@[cache"),
    ]
)
def test_a_wrong_address_is_refused_and_its_password_not_repeated(name: str, address: str) -> None:
    with pytest.raises(UserError, match=f"`{name}` .* an address looks like") as error:
        load(**{name: address})
    assert "very-secret" not in error.value.text


@each([("0-3/8", [0, 1, 2, 3], 8), ("4-7/8", [4, 5, 6, 7], 8), ("0/1", [0], 1), ("7/8", [7], 8)])
def test_the_setting_shards_selects_shards(shards: str, ids: list[int], count: int) -> None:
    own = load(shards=shards).own_shards
    assert own
    assert (own.ids, own.count) == (ids, count)
    for number in range(20):
        assert own.hears(f"guild:{number << 22 | 4321}") is (number % count in ids)
    assert own.hears("user:99999999") is (0 in ids), "direct messages are the first shard's"


@each(["8/8", "3-0/8", "0-8/8", "0", "0/0", "-1/2", "a/b", "0-3/8/9", "0,1/4", "0/99999"])
def test_impossible_shards_are_refused(shards: str) -> None:
    with pytest.raises(UserError, match=r"`shards` .* the first four of eight shards are 0-3/8"):
        load(shards=shards)


def test_without_the_setting_shards_a_process_has_every_shard() -> None:
    assert load().own_shards is None
    assert load().store == load().file


@pytest.mark.parametrize(("given", "value"), [("", True), ("true", True), ("false", False)])
def test_the_setting_messages_says_whether_messages_are_read(
    given: str, value: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if given:
        monkeypatch.setenv("SANDTABLE_MESSAGES", given)
    assert load().messages is value
