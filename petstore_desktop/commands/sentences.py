"""What went wrong, in one line for the command line: what happened, and what to do; in English for scripts, or in
the language of the person whom stderr is for."""

from __future__ import annotations

import json
import math
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias, cast

from petstore_desktop.contract.operations import Op
from petstore_desktop.data_folder import Places, data_directory
from petstore_desktop.desk.checks.check_texts import BAD, OPERATIONS
from petstore_desktop.desk.checks.command_texts import BY_CODE, BY_KIND, UNSAID, USAGE
from petstore_desktop.desk.checks.error_texts import (
    FILE_STATES,
    FILE_UNUSABLE,
    FILES,
    FORGETTING,
    KEYRING,
    UNREACHABLE,
    answer_texts,
    tr,
)
from petstore_desktop.domain.counts import Gaps
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    DocumentUnusable,
    Interrupted,
    KeyRejected,
    KeyringError,
    ShopError,
    StorageError,
    Unreachable,
)
from petstore_desktop.domain.quota import Cause
from petstore_desktop.domain.records import calendar_moment
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.preferences import Preferences, PreferenceStore, ShopConnection
from petstore_desktop.session.connections import find

_LACKS_VALUES = ("document-place", "document-values")
_OPTIONS: Mapping[str, str] = {
    **dict.fromkeys(("tls-self-signed", "tls-unknown-authority"), "`connect --ca-file`"),
    **dict.fromkeys(("ca-file-missing", "ca-file-too-large", "ca-file-no-certificate"), "`connect --ca-file`"),
    **dict.fromkeys(
        (code for code in BAD if code.startswith("document-") and code not in _LACKS_VALUES), "`connect --document`"
    ),
    **dict.fromkeys(_LACKS_VALUES, "`connect --value`"),
    "network-folder": "--data-dir",
}
"""The option that helps, where one does."""

_BREAKS = re.compile(r"[^\S\u00a0\u202f]+")
Say: TypeAlias = Callable[[str], str]
"""Says a text of ours in a language."""


class _Known(dict[str, object]):
    """Parameters for a sentence; a missing one is said as such."""

    say: Say = str

    def __missing__(self, key: str) -> str:
        return self.say(UNSAID.get(key, tr("not said")))


_DEMO = ("demo", "demo shop", "demo-shop")


def _sort(error: ShopError) -> str:
    """The code, and of a redirect where it leads, of a key where it came from, and of a name whether others are like
    it."""
    if isinstance(error, KeyringError) and error.params.get("reading"):
        return f"{error.code}-reading"
    if isinstance(error, KeyRejected) and error.params.get("variable"):
        return "key-variable-rejected"
    if isinstance(error, KeyRejected) and error.params.get("key") and error.code != "key-missing":
        return "this-key-rejected"
    if error.code == "no-such-connection" and error.params.get("alike"):
        return "connections-alike"
    if error.code == "no-such-connection" and str(error.params.get("name")).strip().casefold() in _DEMO:
        return "no-such-connection-demo"
    if error.code != "redirected":
        return error.code
    if error.params.get("circle"):
        return "redirect-circle"
    return error.code if error.params.get("target") else "redirect-nowhere"


def listed(names: Sequence[str], word: str, say: Say = str) -> str:
    """`“Zoo”, “Köln” or “Ulm”`, with that word before the last."""
    *others, last = (say(tr("“{words}”")).format(words=name) for name in names)
    return f"{', '.join(others)} {word} {last}" if others else last


def typed(word: str) -> str:
    """A word as it is typed in a command; in double quotes where those do, which every shell knows."""
    if not word or set(word) & set('"$`\\!%'):
        return shlex.quote(word)
    return word if shlex.quote(word) == word else f'"{word}"'


def sentence(error: ShopError, *, named: bool = True, say: Say = str) -> str:
    """One line, without line breaks; not `named`: without the operation that it begins with; `say`: in a language."""
    exact = _shared(error, say)
    by_kind = next((text for kind, text in BY_KIND if isinstance(error, kind)), "{code}")
    own = BY_CODE.get(_sort(error))
    template = say(own) if own else exact or say(by_kind)
    values = _Known({name: value for name, value in error.params.items() if value not in (None, "")})
    values.say = say
    for name in ("since", "until"):
        if isinstance(moment := values.get(name), float):
            values[name] = time.strftime("%Y-%m-%d", time.localtime(calendar_moment(moment)))
    values["code"], values["typed"] = error.code, typed(str(values.get("typed") or values["name"]))
    values["file"], values["type"] = values["path"], values["content_type"]
    if isinstance(error, StorageError) and "address" in values:
        values["file"] = say(tr("{path} (of the service at {address})")).format_map(values)
    if isinstance(cap := values.get("cap"), int):
        values["mb"] = cap // 2**20
    if "title" in values:
        values["titled"] = values["title"]
    if (names := values.get("alike")) and isinstance(names, tuple):
        values["alike"] = listed(cast("tuple[str, ...]", names), say(tr("or")), say)
    if (operation := values.get("operation")) in tuple(Op):
        values["operation"] = say(OPERATIONS[Op(str(operation))])
    template = template if named else template.removeprefix("{operation}: ")
    return _BREAKS.sub(" ", template.format_map(values)).strip()


def _shared(error: ShopError, say: Say) -> str | None:
    """What the window says of the same error, as one line; None where it has words of its own here."""
    code, safe = error.code, tr("nothing was changed")
    texts: tuple[str, str] | None = None
    match error:
        case AnswerUnusable() | Interrupted():
            what, do = answer_texts(error)
            return f"{{operation}}: {_line(say, what, tr('what is kept on this computer is unchanged'), do)}"
        case KeyringError():
            return _keyring(error, say)
        case StorageError():
            state, again, _ = FILE_STATES.get(code, FILE_UNUSABLE)
            safe = tr("nothing was changed in {file}") if code == "disk-full" else safe
            what, safe, do = FILES.get(code, (state, safe, again))
            return _line(say, what, safe, do, _OPTIONS.get(code, ""), _detail(error))
        case Unreachable():
            code, safe = str(error.params.get("why")), tr("nothing was sent, not even the key")
            texts = UNREACHABLE.get(code)
        case DocumentUnusable():
            texts = BAD.get(code)
        case _:
            pass
    return None if texts is None else _line(say, texts[0], safe, texts[1], _OPTIONS.get(code, ""))


def _keyring(error: KeyringError, say: Say) -> str:
    what, do = KEYRING.get(error.code, KEYRING["keyring-refused"])
    if error.params.get("forgetting"):
        return _line(say, what, *FORGETTING, detail=_detail(error))
    if error.params.get("reading"):
        safe, other = tr("there is no key for {name}, so nothing was sent"), tr("the variable PETSTORE_API_KEY")
        return _line(say, what, safe, do, say(tr("or {other}")).format(other=say(other)), _detail(error))
    return _line(say, what, tr("nothing is known to be stored"), do, detail=_detail(error))


def _detail(error: ShopError) -> str:
    """The technical reason, where there is one."""
    return next((f" ({{{name}}})" for name in ("detail", "why") if error.params.get(name)), "")


def _line(say: Say, what: str, safe: str, do: str, option: str = "", detail: str = "") -> str:
    """Three texts as one line: joined in English, elsewhere a sentence each, whose letters stay as they are."""
    helps = f" ({option})" if option else ""
    if say is str:
        what, safe = f"{what[0].lower()}{what[1:].rstrip('.')}{detail}", f"{safe[0].lower()}{safe[1:].rstrip('.')}"
        return f"{what}; {safe}. {do.rstrip('.')}{helps}"
    said = [say(text).rstrip(".。") for text in (what, safe, do)]
    said[0] += detail
    said[2] += helps
    return ". ".join(f"{text[:1].upper()}{text[1:]}" for text in said if text)


STDOUT = "-"
"""In the place of a file to be written."""

_WAITS: Mapping[Cause, str] = {
    Cause.MINUTE: "this minute's requests are used up",
    Cause.DAY: "today's requests are used up",
    Cause.SHARE: "the rest of today's requests is kept for what you ask for",
    Cause.MINUTE_SHARE: "changes wait for the minute's requests",
    Cause.TURN: "changes wait for their turn",
    Cause.ASKED: "the service asks to wait",
    Cause.BUSY: "the service cannot work just now",
    Cause.UNTOLD: "no requests are left, and the service does not say until when",
    Cause.BANNED: "the service has banned this key for a time",
    Cause.PROBING: "a test request checks whether sending may resume",
    Cause.LOCKED: "the service does not accept the key",
    Cause.NO_KEY: "there is no key",
    Cause.OFFLINE: "the service cannot be reached",
}


def waiting(blocked: SendBlock, now: float) -> str:
    """One line that says until when nothing is sent, by this computer's clock and zone, how long that is, and why;
    `now` in UTC epoch seconds."""
    why = _WAITS[blocked.cause]
    if blocked.until is None:
        return f"waiting: {why}"
    at, length = clock_time(math.ceil(blocked.until), now), _length(blocked.until - now)
    return f"waiting until {at} ({length}): {why}; it goes on by itself"


def clock_time(epoch_s: float, now: float) -> str:
    """`14:02:11`, with the date where it is another day than `now`, in this computer's zone."""
    at = time.localtime(calendar_moment(epoch_s))
    return time.strftime("%H:%M:%S" if at[:3] == time.localtime(calendar_moment(now))[:3] else "%Y-%m-%d %H:%M:%S", at)


def _length(seconds: float) -> str:
    """`42 s`, `5 min 3 s`, `1 h 0 min`."""
    whole = math.ceil(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def load_preferences(store: PreferenceStore) -> Preferences:
    """Read the preferences; reports problems of the file on stderr. Raises StorageError."""
    preferences = store.load()
    tell(store.trouble)
    return preferences


def find_connection(data_dir: str | None, name: str) -> tuple[Places, ShopConnection]:
    """The program's folders and the connection of this name. Raises BadInput, StorageError."""
    places = Places(data_directory(data_dir))
    return places, find(load_preferences(PreferenceStore(places.preferences)), name)


def tell(trouble: StorageError | None) -> None:
    """Report on stderr a problem with a file, if there is one."""
    if trouble is not None:
        sys.stderr.write(f"{in_own_language(trouble)}\n")


def in_own_language(error: ShopError) -> str:
    """The sentence as a person reads it: in the language of the system's settings; English where there is none."""
    from petstore_desktop.ui.text.translate import without_window

    return sentence(error, say=without_window())


def usage_line(program: str, message: str) -> str:
    """Describe wrong usage of a program, in the language of the person, as one line."""
    from petstore_desktop.ui.text.translate import without_window

    return f"{program}: {_usage(f'{message} (see {program} --help)', without_window())}\n"


def _usage(message: str, say: Say) -> str:
    """Translate what argparse says; other words stay as they are."""
    for text in USAGE:
        if found := re.fullmatch(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+?)", re.escape(text)), message, re.DOTALL):
            values = found.groupdict()
            if "what" in values:
                values["what"] = _usage(values["what"], say)
            return say(text).format(**values)
    return message


def shows_less(gaps: Gaps) -> str:
    """That the service shows a part of a list, for a list that is cut."""
    return f"the service shows at most {gaps.cut_at}" if gaps.cut_at else "the service counts more than it shows"


def note(line: str) -> None:
    """Write a line on stderr that says which program it comes from."""
    sys.stderr.write(f"petstore-desktop: {line}\n")
    sys.stderr.flush()


def note_trouble(error: ShopError) -> None:
    """Write what went wrong beside the work, on stderr; of a damaged file a person has been told with that."""
    from petstore_desktop.sync.jobs.salvage_lists import note_told  # late: few have any

    note(sentence(error))
    if isinstance(error, StorageError):
        note_told(error)


def knows(code: str) -> bool:
    """Whether there is a sentence for this code alone."""
    return code in BY_CODE


def show(lines: Iterable[str]) -> None:
    """Print these lines."""
    for line in lines:
        print(line)
    sys.stdout.flush()


def show_json(said: object) -> None:
    """Print one JSON object."""
    is_wide = (sys.stdout.encoding or "").lower().startswith("utf")  # what another has no sign for is no JSON there
    show((json.dumps(said, ensure_ascii=not is_wide),))
