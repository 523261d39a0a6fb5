"""What a good answer's headers tell about a service: does it speak of its limits, and is its clock right?"""

from __future__ import annotations

from petstore_desktop.api.findings import Findings
from petstore_desktop.api.limit_headers import WindowFacts, answer_facts
from petstore_desktop.api.transport import Answer
from petstore_desktop.domain.checks import About

SKEW_S = 300.0
"""Seconds by which two clocks may differ without its being worth a word."""
_SHOWN = 80


def judge_limits(found: Findings, answer: Answer, wall: float, plan: str) -> None:
    """`plan`: what a person said of the limits; then the service need not. `wall`: UTC epoch seconds of the answer."""
    headers = answer.headers.multi_items()
    said = [(name, value) for name, value in headers if "ratelimit" in name.lower().replace("-", "")]
    windows = answer_facts(answer.status, headers, wall=wall).limits.windows
    if not said:
        if plan:
            found.good(About.LIMITS, "limits-by-plan", plan=plan)
        else:
            found.bad(About.LIMITS, "limits-absent")
        return
    resets = any("reset" in name.lower() or "reset" in value.lower() for name, value in said)
    if not windows or any(_is_odd(window, resets) for window in windows):
        shown = "; ".join(f"{name}: {value}" for name, value in said)
        found.bad(About.LIMITS, "limits-odd", header=shown[:_SHOWN] + ("…" if len(shown) > _SHOWN else ""))
        return
    code = "limits-left" if windows[0].limit is None else "limits"
    found.good(About.LIMITS, code, limit=windows[0].limit, remaining=windows[0].remaining)


def _is_odd(window: WindowFacts, resets: bool) -> bool:
    """Whether the program cannot reckon with it."""
    beyond = window.limit is not None and window.remaining is not None and window.remaining > window.limit
    return window.remaining is None or beyond or (resets and window.reset_in is None)


def judge_clock(found: Findings, answer: Answer, wall: float) -> None:
    """By the answer's Date (RFC 9110, 6.6.1)."""
    skew = answer_facts(answer.status, answer.headers.multi_items(), wall=wall).limits.skew
    if skew is None:
        found.open(About.CLOCK, "clock-unknown")
    elif abs(skew) > SKEW_S:
        found.bad(About.CLOCK, "clock-off", skew=round(skew))
    else:
        found.good(About.CLOCK, "clock", skew=round(skew))
