"""Completion for bash and zsh, made from the command line's own words.

A FILE or a DIR is completed from the disk, a choice from its words, and the NAME of a connection from the connections
that there are.
"""

from __future__ import annotations

from collections.abc import Iterator

from deb.words import Command, Word, commands

NAMES = r"petstore-desktop connections 2>/dev/null | cut -f1"
KNOWN = ("forget", "doctor", "sync", "export", "report", "changes", "import", "stock")
"""Commands whose first place is a connection that there is."""
BASH = """\
# Completion of petstore-desktop for bash. Made from its own help.
_petstore_desktop() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command= options= index place=0
    COMPREPLY=()
    for ((index = 1; index < COMP_CWORD; index++)); do
        case ${{COMP_WORDS[index]}} in
            {commands}) command=${{COMP_WORDS[index]}}; break ;;
        esac
    done
    case $command,$before in
{values}
    esac
    case $command in
{options}
    esac
    if [[ $word != -* && -n $command ]]; then
        for ((index++; index < COMP_CWORD; index++)); do
            case $command,${{COMP_WORDS[index]}} in
                {valued}) ((++index)) ;;
                *,-*) ;;
                *) ((++place)) ;;
            esac
        done
        case $command,$place in
{places}
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
}}
_petstore_desktop_names() {{
    local name
    while IFS= read -r name; do
        [[ $name == "$1"* ]] && COMPREPLY+=("$(printf %q "$name")")
    done < <({names})
}}
_petstore_desktop_files() {{
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}}
complete -F _petstore_desktop petstore-desktop
"""
ZSH = """\
#compdef petstore-desktop
# Completion of petstore-desktop for zsh. Made from its own help.
_petstore_desktop_names() {{
    local -a names
    names=("${{(@f)$({names})}}")
    compadd -a names
}}
_petstore_desktop() {{
    local curcontext=$curcontext state line
    local -a commands
    commands=(
{commands}
    )
    _arguments -C \\
{program}
        '1: :->command' '*:: :->rest'
    case $state in
        command) _describe command commands ;;
        rest)
            case $words[1] in
{rest}
            esac ;;
    esac
}}
_petstore_desktop "$@"
"""


def bash() -> str:
    """Return the completion for bash."""
    program, *others = commands()
    values: dict[str, list[str]] = {}
    options: list[str] = []
    places: list[str] = []
    for command in (program, *others):
        for word in command.options():
            if word.value:
                values.setdefault(_bash_value(word), []).extend(f"{command.name},{name}" for name in word.names)
        offered = [word.names[-1] for word in command.options()]
        offered += [] if command.name else [other.name for other in others]
        options.append(f'        {command.name or chr(34) * 2}) options="{" ".join(offered)}" ;;')
        for number, word in enumerate(command.places()):
            known = number == 0 and command.name in KNOWN
            value = '_petstore_desktop_names "$word"' if known else _bash_value(word)
            places.append(f"            {command.name},{number}) {value}; return ;;")
    joined = {
        "values": "\n".join(f"        {'|'.join(keys)}) {value}; return ;;" for value, keys in values.items()),
        "valued": "|".join(key for keys in values.values() for key in keys if not key.startswith(",")),
        "options": "\n".join(options),
        "places": "\n".join(places),
    }
    return BASH.format(commands="|".join(other.name for other in others), names=NAMES, **joined)


def _bash_value(word: Word) -> str:
    if word.names == ("--connection",):
        return '_petstore_desktop_names "$word"'
    if word.choices:
        return f'mapfile -t COMPREPLY < <(compgen -W "{" ".join(word.choices)}" -- "$word")'
    kind = _kind(word)
    return f'_petstore_desktop_files -{kind[0]} "$word"' if kind else ":"


def zsh() -> str:
    """Return the completion for zsh."""
    program, *others = commands()
    rest = []
    for command in others:
        words = " \\\n".join(f"                    {line}" for line in _zsh_words(command))
        rest.append(f"                {command.name}) _arguments \\\n{words} ;;")
    named = "\n".join(f"        {_quoted(f'{other.name}:{other.says}')}" for other in others)
    own = "\n".join(f"        {line} \\" for line in _zsh_words(program))
    return ZSH.format(names=NAMES, commands=named, program=own, rest="\n".join(rest))


def _zsh_words(command: Command) -> Iterator[str]:
    for word in command.options():
        says = word.says.replace("[", r"\[").replace("]", r"\]").replace(":", r"\:")
        for name in word.names:
            value = f":{word.value.replace(':', ' ')}:{_zsh_value(word)}" if word.value else ""
            yield _quoted(f"{'*' if word.again else ''}{name}[{says}]{value}")
    for number, word in enumerate(command.places(), 1):
        known = number == 1 and command.name in KNOWN
        yield _quoted(f"{number}:{word.value}:{'_petstore_desktop_names' if known else _zsh_value(word)}")


def _zsh_value(word: Word) -> str:
    if word.names == ("--connection",):
        return "_petstore_desktop_names"
    if word.choices:
        return f"({' '.join(word.choices)})"
    return {"file": "_files", "directory": "_files -/"}.get(_kind(word), " ")


def _kind(word: Word) -> str:
    """Return whether a value is a file or a directory; empty for another."""
    if word.value == "DIR":
        return "directory"
    return "file" if word.value.startswith("FILE") else ""


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
