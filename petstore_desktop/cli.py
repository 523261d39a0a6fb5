"""The command line. Each command's work is in a module of its name; this one knows the words and the exit codes: 0, 1
(it failed, and one line on stderr says why), 2 (wrong usage), 3 (it was done, but its answer could not be written)."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import NoReturn

from petstore_desktop import __version__, garbage
from petstore_desktop.platform_support import is_reader_gone, keep_refusal, prepare_streams, take_secrets
from petstore_desktop.threads import end_at_once

PLAN_NAMES = ("free", "pro", "business", "enterprise")
DEMO_PLANS = ("free", "pro", "business", "unlimited")
MOST = 2**63 - 1
"""The largest number of requests that a limit can be (int64)."""


class Parser(argparse.ArgumentParser):
    """Reports wrong usage in one line, as every command does."""

    def error(self, message: str) -> NoReturn:
        from petstore_desktop.commands.sentences import usage_line

        self.exit(2, usage_line(self.prog, message))


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit code."""
    if argv is None:  # this is a process of its own
        take_secrets()
    arguments = list(sys.argv[1:] if argv is None else argv)
    kept = prepare_streams()
    code = _main(arguments)
    if code and kept and COMMANDS.keys().isdisjoint(arguments):
        from petstore_desktop.ui.questions.error import show_start_error

        show_start_error(kept.text)
    return code


def _main(arguments: list[str]) -> int:
    # The window's own start does without the commands' parsers: they cost time before the first paint.
    wanted = {*COMMANDS, "--help", "-h"}
    parser = command_line(with_commands=not wanted.isdisjoint(arguments))
    try:
        args = parser.parse_args(arguments)
    except SystemExit as stop:
        return int(stop.code or 0)
    try:
        return _run(args)
    except KeyboardInterrupt:
        return 130


def _run(args: argparse.Namespace) -> int:
    from petstore_desktop.data_folder import data_directory, refuse_newer
    from petstore_desktop.domain.errors import ShopError

    work: Callable[[argparse.Namespace], int] = getattr(args, "work", _window)
    out = None if work is _window else keep_refusal()
    try:
        if work is not _window and "db" not in args:  # the window asks a later program to come to the front first
            refuse_newer(data_directory(args.data_dir))
        code = work(args)
        sys.stdout.flush()
        return code if out is None or out.refused is None else _unwritten(args, code, out.refused)
    except ShopError as error:
        from petstore_desktop.commands.sentences import in_own_language

        sys.stderr.write(f"petstore-desktop: {in_own_language(error)}\n")
    except Exception as error:  # noqa: BLE001 -- the last resort: its traceback goes to the log, not to the terminal
        name = type(error).__name__
        sys.stderr.write(f"petstore-desktop: unexpected error, {name}: see {_logged(args, error)}\n")
    return 1


def _unwritten(args: argparse.Namespace, code: int, refused: OSError) -> int:
    """The exit code of a command of which the answer could not be written; says so, unless nobody reads any more."""
    if is_reader_gone(refused):
        return code
    from petstore_desktop.commands.sentences import note
    from petstore_desktop.ui.text.translate import tr, without_window

    say = without_window()
    is_done = code == 0 and _does_something(args)
    text = tr("this answer could not be written to standard output ({why})")
    if is_done:
        text = tr(
            "it was done, and need not be done again; only this answer could not be written to standard output ({why})"
        )
    note(say(text).format(why=refused.strerror))
    return DONE_UNSAID if is_done else code or 1


DONE_UNSAID = 3
"""The exit code of what was done, where the answer to that could not be written."""


def _does_something(args: argparse.Namespace) -> bool:
    """Whether this command does more than answer."""
    if args.command in ("import", "stock"):
        return bool(args.yes if args.command == "import" else not args.dry_run)
    if args.command == "decide":
        return args.choice is not None or bool(args.undo)
    return args.command in ("connect", "forget", "sync")


def _logged(args: argparse.Namespace, error: Exception) -> str:
    """Write it to the log; where that lies."""
    import logging

    from petstore_desktop import log
    from petstore_desktop.adapters.crash_reports import CrashReports
    from petstore_desktop.data_folder import Places, data_directory

    file = Places(data_directory(args.data_dir)).log
    log.start(file.parent)
    logging.getLogger("petstore_desktop").error("unexpected error in a command", exc_info=error)
    log.stop()
    CrashReports(file.parent).keep(error, "a command")
    return str(file)


def command_line(*, with_commands: bool) -> argparse.ArgumentParser:
    """The words of the command line; without those of its commands where a window is started."""
    parser = Parser(prog="petstore-desktop", description="Pets, stock and orders of a shop, online and offline.")
    parser.add_argument("--version", action="version", version=f"petstore-desktop {__version__}")
    parser.add_argument("--data-dir", metavar="DIR", help="keep everything in this folder")
    parser.add_argument("--connection", metavar="NAME", help="open this connection")
    parser.add_argument("--no-update-check", action="store_true", help="never ask whether there is a newer version")
    parser.add_argument("--rehearsal", type=Path, metavar="DIR", help=argparse.SUPPRESS)  # started by the window
    parser.add_argument("--show-me", action="store_true", help=argparse.SUPPRESS)  # by the welcome page
    parser.add_argument("--ask-keyring", action="store_true", help=argparse.SUPPRESS)  # by `credentials`, in a bundle
    demo = parser.add_argument_group("the demo shop")
    demo.add_argument("--demo", action="store_true", help="start the demo shop and open it")
    demo.add_argument("--plan", choices=DEMO_PLANS, default="free", help="its limits (default: free)")
    demo.add_argument("--pets", type=_up_to_a_million, default=None, metavar="N", help="how many pets (default: 200)")
    demo.add_argument("--service", choices=("full", "default"), default="full", help="everything, or nine operations")
    demo.add_argument("--fresh", action="store_true", help="start with new data")
    demo.add_argument("--tour", type=Path, metavar="DIR", help="drive the window through its jobs, and write pictures")
    if with_commands:
        commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")
        for name, (words, add) in COMMANDS.items():
            command = commands.add_parser(name, help=words, description=words)
            folder = "keep everything in this folder"
            command.add_argument("--data-dir", metavar="DIR", default=argparse.SUPPRESS, help=folder)
            add(command)
    return parser


def _up_to_a_million(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError("a number from 1 to 1,000,000")
    return int(text)


def _requests(text: str) -> int:
    digits, shown = text.removeprefix("-"), repr(text[:40])
    if not digits.isascii() or not digits.isdigit():
        raise argparse.ArgumentTypeError(f"{shown} is not a whole number; use digits only, such as 1000")
    if text.startswith("-") or not digits.strip("0"):
        raise argparse.ArgumentTypeError(f"{shown} would allow no request; leave the option out if it is not known")
    if len(digits) > len(str(MOST)) or int(digits) > MOST:
        raise argparse.ArgumentTypeError(f"{shown} is too large; at most {MOST}")
    return int(digits)


def _add_connect(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--url", required=True, help="the service's base address, such as https://shop.example/v1")
    known = parser.add_mutually_exclusive_group()
    known.add_argument("--document", metavar="FILE-OR-URL", help="its OpenAPI document, if it does not publish one")
    words = "follow this profile of a service, a file or the name of one that comes along; '' for none any more"
    known.add_argument("--profile", metavar="FILE-OR-NAME", help=words)
    parser.add_argument("--plan", choices=PLAN_NAMES, help="the limits of the key, from the next opening on")
    for window in ("minute", "day"):
        words = f"requests a {window}, where the plan is enterprise or not known"
        parser.add_argument(f"--per-{window}", type=_requests, metavar="N", help=words)
    parser.add_argument("--key-stdin", action="store_true", help="read the key from the first line of stdin")
    words = "read a further key that the service wants from the next line of stdin; NAME as in its document"
    parser.add_argument("--further-key", action="append", default=[], metavar="NAME", help=words)
    words = "a value that the service needs with its requests, such as shopId=7; NAME as in its document"
    parser.add_argument("--value", action="append", default=[], metavar="NAME=VALUE", help=words)
    words = "trust the certificates in this PEM file too, beside the system's; '' for the system's alone"
    parser.add_argument("--ca-file", metavar="FILE", help=words)
    writing = parser.add_mutually_exclusive_group()
    for option, value, words in (
        ("--read-only", True, "send no change to it; unsent changes are kept"),
        ("--read-write", False, "send changes again"),
    ):
        writing.add_argument(option, dest="read_only", action="store_const", const=value, help=words)

    def work(args: argparse.Namespace) -> int:
        from petstore_desktop.commands.connect import Described, KeyLimits, connect

        limits = KeyLimits(args.plan, args.per_minute, args.per_day)
        return connect(
            args.data_dir,
            args.name,
            args.url,
            Described(args.document, args.profile),
            limits,
            args.key_stdin,
            args.further_key,
            args.ca_file,
            args.read_only,
            args.value,
        )

    parser.set_defaults(work=work)


def _add_connections(parser: argparse.ArgumentParser) -> None:
    def work(args: argparse.Namespace) -> int:
        from petstore_desktop.commands.connections import list_connections

        return list_connections(args.data_dir)

    parser.set_defaults(work=work)


def _add_forget(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--yes", action="store_true", help="do not ask, even if changes are unsent")

    def work(args: argparse.Namespace) -> int:
        from petstore_desktop.commands.connections import forget

        return forget(args.data_dir, args.name, args.yes)

    parser.set_defaults(work=work)


def _add_doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--json", action="store_true", help="print one JSON object")

    def work(args: argparse.Namespace) -> int:
        from petstore_desktop.commands.doctor import doctor

        return doctor(args.data_dir, args.name, args.json)

    parser.set_defaults(work=work)


def _add_profile(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--out", metavar="FILE", help="where to write it; standard output if left out")

    def work(args: argparse.Namespace) -> int:
        from petstore_desktop.commands.profile import profile

        return profile(args.data_dir, args.name, args.out)

    parser.set_defaults(work=work)


def _add_sync(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--json", action="store_true", help="print one JSON object")

    def work(args: argparse.Namespace) -> int:
        from petstore_desktop.commands.sync import sync

        return sync(args.data_dir, args.name, args.json)

    parser.set_defaults(work=work)


def _add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("resource", choices=("pets", "categories", "orders", "inventory"), metavar="RESOURCE")
    parser.add_argument("--format", choices=("csv", "xlsx", "json"), help="of the file (default: as FILE ends, or csv)")
    parser.add_argument("--out", metavar="FILE", help="where to write it; standard output if left out")

    def work(args: argparse.Namespace) -> int:
        from petstore_desktop.commands.export import export
        from petstore_desktop.domain.records import Resource

        return export(args.data_dir, args.name, Resource(args.resource), args.format, args.out)

    parser.set_defaults(work=work)


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    days = parser.add_mutually_exclusive_group(required=True)
    days.add_argument("--week", choices=("this", "last"), help="the week to report on")
    days.add_argument("--month", choices=("this", "last"), help="the month to report on")
    days.add_argument("--from", dest="first", type=_day, metavar="D", help="the first day, such as 2026-11-01")
    parser.add_argument("--to", dest="last", type=_day, metavar="D", help="with --from: the last day")
    parser.add_argument("--out", metavar="FILE", required=True, help="the PDF to write")

    def work(args: argparse.Namespace) -> int:
        from petstore_desktop.commands.report import report
        from petstore_desktop.desk.report.period import Period, PeriodKind

        if (args.first is None) is not (args.last is None) or (args.first and args.last < args.first):
            parser.error("--from and --to go together, and --to is not before --from")
        if args.first:
            return report(args.data_dir, args.name, Period(PeriodKind.DAYS, args.first, args.last), args.out)
        days = f"{args.week} week" if args.week else f"{args.month} month"
        return report(args.data_dir, args.name, PeriodKind(days), args.out)

    parser.set_defaults(work=work)


def _day(text: str) -> object:
    from datetime import date

    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no day; give it as 2026-11-01") from None


def _add_changes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    words = "from then on: 12h, 7d, 2w, 2026-11-20 or 2026-11-20T08:00 (default: 1d)"
    parser.add_argument("--since", metavar="T", type=_since, default="1d", help=words)
    parser.add_argument("--json", action="store_true", help="print one JSON object")

    def work(args: argparse.Namespace) -> int:
        from petstore_desktop.commands.changes import changes

        return changes(args.data_dir, args.name, args.since, args.json)

    parser.set_defaults(work=work)


def _since(text: str) -> float:
    import time

    from petstore_desktop.commands.changes import moment_of

    try:
        return moment_of(text, time.time())
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no time; give 12h, 7d, 2w or 2026-11-20T08:00") from None


def _add_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("resource", choices=("pets", "categories", "orders", "inventory"), metavar="RESOURCE")
    parser.add_argument("file", metavar="FILE", help="CSV or XLSX, with the columns' names in its first row")
    doing = parser.add_mutually_exclusive_group()
    doing.add_argument("--dry-run", action="store_true", help="only say what it would do and cost; so without --yes")
    doing.add_argument("--yes", action="store_true", help="do it, and wait until the service has answered")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--dates", choices=("dmy", "mdy", "ymd"), default="", help="how the file writes dates")
    words = "what stands before the fraction of the file's numbers"
    parser.add_argument("--numbers", choices=("point", "comma"), default="", help=words)
    parser.add_argument("--encoding", default="", help="such as windows-1252, where the file is not in UTF-8")
    parser.add_argument(
        "--again", action="store_true", help="make bookings (+5) and new records of a file that were made before"
    )

    def work(args: argparse.Namespace) -> int:
        from petstore_desktop.commands.changing import import_rows
        from petstore_desktop.domain.records import Resource

        resource, how = Resource(args.resource), (args.dates, args.numbers, args.encoding, args.again)
        return import_rows(args.data_dir, args.name, resource, args.file, args.yes, args.json, *how)

    parser.set_defaults(work=work)


def _add_stock(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("pet", metavar="PET", help="its id, or its whole name, in capitals or not")
    parser.add_argument("amount", metavar="+N|-N|=N", type=_amount, help="book in, book out, or count")
    parser.add_argument("--dry-run", action="store_true", help="only say what it would cost")
    parser.add_argument("--json", action="store_true", help="print one JSON object")

    def work(args: argparse.Namespace) -> int:
        from petstore_desktop.commands.changing import book_stock

        return book_stock(args.data_dir, args.name, args.pet, args.amount, not args.dry_run, args.json)

    parser.set_defaults(work=work)


def _amount(text: str) -> str:
    digits = text[1:]
    if text[:1] not in ("+", "-", "=") or not digits.isascii() or not digits.isdigit():
        raise argparse.ArgumentTypeError("+N books in, -N out, and =N counts; N in digits only")
    return text


def _add_decide(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    words = "the number of a change that needs a decision; without it all of them are listed"
    parser.add_argument("change", metavar="CHANGE", nargs="?", type=_up_to_a_million, help=words)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--done", dest="choice", action="store_const", const="done", help="it arrived: it counts as done")
    how.add_argument("--again", dest="choice", action="store_const", const="again", help="it did not: send it again")
    how.add_argument("--discard", dest="choice", action="store_const", const="discard", help="discard it")
    how.add_argument("--undo", action="store_true", help="take the last decision back, if nothing was sent since")

    def work(args: argparse.Namespace) -> int:
        from petstore_desktop.commands.decide import decide

        if (args.change is None) is not (args.choice is None):
            parser.error("CHANGE and --done, --again or --discard go together")
        return decide(args.data_dir, args.name, args.change, args.choice or "", args.undo)

    parser.set_defaults(work=work)


def _add_demo_shop(parser: argparse.ArgumentParser) -> None:
    from petstore_desktop.demo.command import add_arguments, run

    add_arguments(parser)
    parser.set_defaults(work=run)


COMMANDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]] = {
    "connect": ("create or change a connection", _add_connect),
    "connections": ("list the connections", _add_connections),
    "forget": ("remove a connection, its key and its data on this computer", _add_forget),
    "doctor": ("check a connection, and report its problems (at most 19 requests, no writes)", _add_doctor),
    "profile": ("write down how a connection's service speaks, as a profile; sends no request", _add_profile),
    "sync": ("read everything once, without a window", _add_sync),
    "export": ("write a list to a file, from the copy kept here; sends no request", _add_export),
    "report": ("write a report of a week or month as a PDF, from what is kept here; sends no request", _add_report),
    "changes": ("list what was done here, and what was seen to change; sends no request", _add_changes),
    "import": ("import a file, or say what that would do and cost", _add_import),
    "stock": ("book one pet's stock in or out, or count it", _add_stock),
    "decide": ("list what needs a decision, and decide about it; sends no request", _add_decide),
    "demo-shop": ("run the demo shop alone", _add_demo_shop),
}
"""What each command does in words, and what adds its options to its parser."""


def _window(args: argparse.Namespace) -> int:
    if args.ask_keyring:
        from petstore_desktop.session.keyring_process import main as answer_order

        answer_order()
    signal.signal(signal.SIGTERM, _end_at_once)  # until there is a window that ends by itself
    garbage.stop()
    if args.rehearsal is not None:
        from petstore_desktop.commands.rehearsal import run_rehearsal

        return run_rehearsal(args.rehearsal)
    from petstore_desktop.app import Start, run

    start = Start(
        data_dir=args.data_dir,
        connection=args.connection,
        demo=args.demo,
        demo_options=_demo_options(args),
        update_check=not args.no_update_check,
    )
    if args.show_me:
        from petstore_desktop.tour import show_me

        return show_me(start)
    if args.tour is not None:
        from petstore_desktop.tour import run_tour

        return run_tour(start, args.tour)
    return run(start)


def _end_at_once(_number: int, _frame: FrameType | None) -> None:
    """Nothing is done yet that could be lost; what is half loaded takes no exception well."""
    end_at_once(0)


def _demo_options(args: argparse.Namespace) -> tuple[str, ...]:
    options = ["--plan", args.plan, "--service", args.service]
    if args.pets is not None:
        options += ["--pets", str(args.pets)]
    return (*options, "--fresh") if args.fresh else tuple(options)
