"""Words for the shops that are not in the window: how they stand, and what happened there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.translate import counted_changes, needs_words, tr

if TYPE_CHECKING:
    from petstore_desktop.ui.context.ports import ShopFacts, ShopNews


def standing_words(shop: ShopFacts) -> str:
    """The note beside a shop's name in the list, such as `3 unsent, 1 needs attention`; may be empty."""
    troubles = {"key": tr("needs a key"), "banned": tr("key banned"), "failed": tr("stopped")}
    parts = [tr("in this window")] if shop.shown else []
    if shop.trouble:
        parts.append(troubles[shop.trouble])
    if shop.unsent:
        parts.append(tr("{n} unsent", "", shop.unsent))
    if shop.needs:
        parts.append(needs_words(shop.needs))
    if shop.read_only:
        parts.append(tr("read-only"))
    return tr(", ", "between parts of a line").join(parts)


def elsewhere_words(shops: Sequence[ShopFacts]) -> tuple[str, bool]:
    """What the status bar says of the other shops, and whether one of them needs a person; empty where nothing waits
    there."""
    others = [shop for shop in shops if not shop.shown]
    stuck = [shop for shop in others if shop.needs or (shop.trouble and shop.unsent)]
    if len(stuck) == 1:
        return tr("{shop} needs attention", shop=_name(stuck[0].name)), True
    if stuck:
        return tr("{n} other shops need attention", "", len(stuck)), True
    unsent = sum(shop.unsent for shop in others if shop.works)
    return (tr("{n} unsent elsewhere", "", unsent), False) if unsent else ("", False)


def news_words(news: ShopNews) -> str:
    """What happened at a shop that is not in the window."""
    shop, n = _name(news.name), news.count
    return {
        "needs": tr("{shop}: {n} changes need attention", "", n, one="{shop}: {n} change needs attention", shop=shop),
        "not-saved": tr("{shop}: your last change could not be saved", shop=shop),
        "damaged": tr("{shop}: the file of your changes was damaged", shop=shop),
        "banned": tr("{shop}: the key is banned for a while; unsent changes wait", shop=shop),
        "failed": tr("{shop}: sending has stopped; unsent changes are kept", shop=shop),
        "key": tr("{shop}: a key is needed; unsent changes wait", shop=shop),
    }[news.kind]


def unsent_elsewhere_words(shops: Sequence[ShopFacts]) -> list[str]:
    """At closing: what other shops that are at work have not sent yet, a sentence each."""
    return [
        tr("{shop}: {changes} unsent.", shop=_name(shop.name), changes=counted_changes(shop.unsent))
        for shop in shops
        if shop.works and shop.unsent and not shop.shown
    ]


def _name(name: str) -> str:
    return isolate(plain(name))
