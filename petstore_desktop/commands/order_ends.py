"""How the work of a command ended: as lines, as JSON and as an exit code."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct, to_builtins

from petstore_desktop.commands.order_runs import Unfinished
from petstore_desktop.commands.sentences import knows, sentence, typed
from petstore_desktop.desk.imports.import_matching import Problem
from petstore_desktop.desk.scripts.order import WorkProgress
from petstore_desktop.desk.values.text import visible
from petstore_desktop.domain.errors import BadInput, ShopError, StorageError
from petstore_desktop.domain.records import JsonValue, Resource
from petstore_desktop.ui.text.times import forecast
from petstore_desktop.ui.text.translate import listed, tr

if TYPE_CHECKING:
    from petstore_desktop.data_folder import Places
    from petstore_desktop.desk.scripts.order import Booked, WorkOrder, WrongRow
    from petstore_desktop.preferences import ShopConnection

_STATES: Final = {
    "sent": ("done",),
    "refused": ("refused",),
    "conflicts": ("conflict",),
    "unknown": ("uncertain",),
    "unsent": ("queued", "sending"),
    "discarded": ("discarded",),
}
"""The states of changes as they are counted here."""
_SHOWN: Final = 20
_MINUTE_S: Final = 60


class WorkEnd(Struct, frozen=True):
    """How far the work has come, the exit code, and what is said of it on stderr."""

    progress: WorkProgress
    code: int
    said: str = ""

    @property
    def changes(self) -> dict[str, int]:
        """The changes by what became of them."""
        counts = self.progress.counts
        return {name: sum(counts.get(state, 0) for state in states) for name, states in _STATES.items()}


def ending_of(
    places: Places,
    connection: ShopConnection,
    order: WorkOrder,
    run: Callable[[Places, ShopConnection, WorkOrder], WorkProgress],
    say: Callable[[str], str],
) -> WorkEnd:
    """Carry out an order to its end, whatever that is; `say` says errors in a language."""
    try:
        progress = run(places, connection, order)
    except Unfinished as stopped:
        return _stopped(stopped, say)
    except ShopError as error:
        progress = WorkProgress(state="over", error=error, requests=None, seconds=None)
    if progress.error is not None:
        named(progress.error, connection)
        return WorkEnd(progress, 1, error_words(progress.error, order.file, say))
    if progress.obstacle is not None:
        named(progress.obstacle, connection)
        why = error_words(progress.obstacle, order.file, say)
        return WorkEnd(progress, 1, tr("--yes would be refused: {why}", why=why))
    return WorkEnd(progress, _code(order, progress), _left(progress, connection.name))


def named(error: ShopError, connection: ShopConnection) -> None:
    """Let an error speak of the connection by the name that people know."""
    if error.params.get("name") == connection.slug:
        error.params["name"] = connection.name


def _code(order: WorkOrder, progress: WorkProgress) -> int:
    wrong = progress.rows.get("wrong", 0) + progress.open_rows + progress.otherwise
    if not order.save:
        return 1 if wrong else 0
    sent = sum(progress.counts.get(state, 0) for state in _STATES["sent"])
    return 0 if sent == progress.total and not wrong and not progress.earlier else 1


def _left(progress: WorkProgress, name: str) -> str:
    """What did not come to be, and what to do. `name`: of the connection."""
    counts = {**WorkEnd(progress, 1).changes, "blocked": progress.blocked}
    counts["unsent"] -= progress.blocked
    said = {
        "refused": tr("{n} refused", "", counts["refused"]),
        "conflicts": tr("{n} in conflict", "", counts["conflicts"]),
        "unknown": tr("{n} unconfirmed", "", counts["unknown"]),
        "unsent": tr("{n} unsent", "", counts["unsent"]),
        "blocked": tr(
            "{n} wait for earlier changes that need your decision",
            "",
            progress.blocked,
            one="{n} waits for an earlier change that needs your decision",
        ),
        "discarded": tr("{n} undone", "", counts["discarded"]),
    }
    parts = [words for name, words in said.items() if counts[name]]
    attention = tr("see `petstore-desktop decide {name}`, or the window, Activity > Needs attention", name=typed(name))
    if not parts and not progress.open_rows:
        return ""
    if not parts:
        one = "{n} row is the same only by changes that the service has not taken"
        same = tr(
            "{n} rows are the same only by changes that the service has not taken", "", progress.open_rows, one=one
        )
        return f"{same}; {attention}"
    stuck = counts["refused"] + counts["conflicts"] + counts["unknown"] + progress.blocked
    many = tr("of {n} changes", "", progress.total, one="of {n} change")
    return f"{many}: {listed(parts)}" + (f"; {attention}" if stuck else "")


def _stopped(stopped: Unfinished, say: Callable[[str], str]) -> WorkEnd:
    progress = stopped.progress
    counts = WorkEnd(progress, 1).changes
    left = progress.total - counts["sent"] if progress.state in ("saving", "sending") else 0
    one = (
        "{n} change saved on this computer and not sent; it goes out with the next `petstore-desktop sync`, import or "
        "booking, or while the window is open"
    )
    safe = tr(
        "{n} changes saved on this computer and not sent; they go out with the next `petstore-desktop sync`, import "
        "or booking, or while the window is open",
        "",
        left,
        one=one,
    )
    safe = safe if left else tr("nothing was saved")
    if stopped.why == "handed-over":
        return WorkEnd(progress, 130, tr("interrupted; the running program goes on with it"))
    if stopped.why == "interrupted":
        return WorkEnd(progress, 130, f"{tr('interrupted')}: {safe}")
    if stopped.why == "offline":
        return WorkEnd(progress, 1, f"{tr('the service cannot be reached')}: {safe}")
    cause = stopped.__cause__
    why = sentence(cause, say=say) if isinstance(cause, ShopError) else tr("the service does not accept the key")
    return WorkEnd(progress, 1, f"{why}: {safe}")


# -- words


def error_words(error: ShopError, file: str, say: Callable[[str], str]) -> str:
    """Why it came to nothing."""
    if isinstance(error, StorageError) and file and error.params.get("path") == file:
        if error.code == "file-missing":
            return tr("there is no file {file}; nothing was saved", file=visible(file))
        return tr("the file {file} cannot be read; nothing was saved", file=visible(file))
    if not isinstance(error, BadInput):
        return sentence(error, say=say)
    from petstore_desktop.ui.files.import_texts import FILES, file_error_words

    if error.code in FILES:
        return file_error_words(error)
    return sentence(error, say=say) if knows(error.code) else row_words(Problem(error.code, "", error.params))


def row_words(problem: Problem) -> str:
    """Why a row is left out."""
    from petstore_desktop.ui.files.import_texts import problem_words

    return problem_words(problem)


def as_data(connection: ShopConnection, order: WorkOrder, ending: WorkEnd) -> dict[str, object]:
    """The output of `--json`."""
    progress = ending.progress
    said: dict[str, object] = {"connection": connection.name, "resource": order.resource.value}
    said |= {"file": order.file} if order.file else {"pet": order.pet, "amount": order.amount}
    said |= {} if progress.booked is None else {"booked": to_builtins(progress.booked)}
    rows = {kind: progress.rows.get(kind, 0) for kind in ("new", "changed", "same", "wrong")}
    if order.file:
        said |= {"rows": rows, "errors": [_error(one) for one in progress.wrong], "missing": progress.missing}
        said |= {"unused": progress.unused[:_SHOWN], "unsettled": progress.open_rows}
        said |= {"made_before": progress.made_before}
        said |= {"demands": progress.demands}
    minutes = None if progress.seconds is None else round(progress.seconds / _MINUTE_S, 1)
    said |= {"requests": progress.requests, "minutes": minutes}
    said |= {"saved": bool(progress.counts), "batch": progress.batch if progress.counts else None}
    said["changes"] = {"total": progress.total, **ending.changes}
    return said | {"done": ending.code == 0 and order.save, "error": ending.said or None}


def _error(one: WrongRow) -> dict[str, object]:
    words = row_words(Problem(one.code, one.name, one.params))
    return {"row": one.row, "field": one.name, "code": one.code, "message": words}


def as_lines(order: WorkOrder, ending: WorkEnd) -> list[str]:
    """The report in lines."""
    progress = ending.progress
    lines: list[str] = []
    if progress.rows:
        rows = progress.rows
        lines.append(
            f"{visible(Path(order.file).name)}: {rows['changed']} to change, {rows['new']} new, "
            f"{rows['same']} the same, {rows['wrong']} wrong"
        )
        lines += [
            tr("row {row}: {why}", row=one.row, why=row_words(Problem(one.code, one.name, one.params)))
            for one in progress.wrong[:_SHOWN]
        ]
        more = rows["wrong"] - len(progress.wrong[:_SHOWN])
        lines += [f"... and {more} more wrong rows"] if more > 0 else []
        if progress.unused:
            lines.append(f"columns not used: {', '.join(map(visible, progress.unused[:_SHOWN]))}")
        if progress.demands:
            lines.append(_demands_line(progress.demands))
        if progress.missing:
            lines.append(
                f"the file says that {progress.missing} of its rows are missing; their records stay as they are"
            )
    if progress.booked is not None:
        lines.append(_booked_line(progress.booked))
    if progress.made_before and not progress.repeated:
        lines.append(_made_before_line(progress.made_before))
    if progress.error is None or progress.counts:
        lines.append(_changes_line(order, ending))
    return lines


def _booked_line(one: Booked) -> str:
    """Which pet it is, and what its stock becomes: `Koi (#1126): 24 -> 36`."""
    pet = f"{visible(one.name)} (#{one.id})".strip()
    before, after = ("nothing" if quantity is None else str(quantity) for quantity in (one.before, one.after))
    return f"{pet}: {before}" + (f" -> {after}" if after != before else "")


def _made_before_line(rows: int) -> str:
    """That rows are not made again."""
    return tr(
        "{n} rows were imported before, and are not made again without --again",
        "",
        rows,
        one="{n} row was imported before, and is not made again without --again",
    )


def _demands_line(demands: Mapping[str, JsonValue]) -> str:
    """What new records get beside what the file has."""
    names = ", ".join(map(visible, demands))
    values = ", ".join(visible(json.dumps(value, ensure_ascii=False)) for value in demands.values())
    return tr("The service also demands {names}; it gets {values}.", names=names, values=values)


def _changes_line(order: WorkOrder, ending: WorkEnd) -> str:
    progress = ending.progress
    before = progress.before - progress.earlier
    sent = f"; {_counted(before)} saved before went on" if before > 0 else ""
    if progress.repeated:
        sent = f" ({ending.changes['sent']} of {_counted(progress.repeated)} sent)" if order.save else ""
        what = "orders" if order.resource is Resource.ORDERS else "bookings"
        return f"nothing to do: this file's {what} were saved before{sent}, and are not made again without --again"
    if not progress.total:
        return f"nothing to change{sent}"
    many = _counted(progress.total)
    if progress.counts:
        return f"{ending.changes['sent']} of {many} sent{sent}"
    how = "; --yes does it" if order.file and progress.obstacle is None else ""
    return f"{many}: {cost_words(progress)}; nothing was changed{how}"


def _counted(changes: int) -> str:
    return f"{changes} change{'s' * (changes != 1)}"


def cost_words(progress: WorkProgress) -> str:
    """`34 requests, about 2 min`, as the window says it."""
    if progress.requests is None:
        return "requests unknown"
    many = f"{progress.requests} request{'s' * (progress.requests != 1)}"
    if progress.seconds is None:
        return f"{many}, time unknown"
    n, unit = forecast(progress.seconds)
    return f"{many}, about {n} {unit}" if unit else f"{many}, a moment"
