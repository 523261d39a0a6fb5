"""A session before a real shop behind TLS: a CA file is enough to work there, and whatever keeps it from being trusted
leaves every change on this computer until it is mended, then sends it once. What else a certificate may lack:
tests/api/http/test_certificates.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from petstore_desktop.demo.operations.service import load_document
from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange
from petstore_desktop.domain.commands import Retry
from petstore_desktop.domain.errors import AnswerUnusable, DocumentUnusable
from petstore_desktop.domain.quota import Link
from petstore_desktop.domain.records import Resource
from petstore_desktop.sync.wire.events import ContractRead, LinkMoved, Trouble
from tests.support.session import Watched, quantity, stock, writes
from tests.support.shop import KEY, Shop
from tests.support.tls import Authority, ConnectProxy, Front, Server, answering

HOST = "shop.test"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with Shop(tmp_path_factory.mktemp("shop"), plan="unlimited", pets=10) as shop:
        yield shop


def behind(shop: Shop) -> int:
    return int(shop.url.rpartition(":")[2].partition("/")[0])


def some_pet(shop: Shop) -> int:
    return int(shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1")[0][0])


def offline(session: Watched) -> str:
    """Wait until the service counts as not there; why."""
    moved = session.wait(
        lambda: [event for event in session.of(LinkMoved) if event.link is Link.OFFLINE and event.error],
        "the service is not there",
    )
    error = moved[-1].error
    assert error is not None
    return str(error.params["why"])


def known(data: Path, shop: Shop, url: str, ca_file: Path) -> None:
    """Let a connection be one that has read everything before."""
    with Watched(data, shop, url=url, ca_file=str(ca_file)) as session:
        session.wait_loaded()


Mend = Callable[[], object]
Break = Callable[[Front, ConnectProxy, Path, Authority], tuple[str, Mend]]


ENDS_NOWHERE = pytest.mark.wine("a chain of certificates that ends nowhere is refused", run=False)


def by_stranger(front: Front, _: ConnectProxy, ca_file: Path, ours: Authority) -> tuple[str, Mend]:
    front.show(Authority(ca_file.parent, "Somebody else").context(HOST))
    return "tls-unknown-authority", lambda: front.show(ours.context(HOST))


def by_proxy(_: Front, proxy: ConnectProxy, __: Path, ___: Authority) -> tuple[str, Mend]:
    proxy.refuses = 407
    return "proxy-login", lambda: setattr(proxy, "refuses", 0)


def by_loss(_: Front, __: ConnectProxy, ca_file: Path, ours: Authority) -> tuple[str, Mend]:
    ca_file.unlink()
    return "ca-file-missing", lambda: ca_file.write_bytes(ours.file.read_bytes())


@pytest.mark.parametrize("spoil", [pytest.param(by_stranger, marks=ENDS_NOWHERE), by_proxy, by_loss])
def test_a_change_waits_until_the_way_is_mended_and_is_sent_once(
    spoil: Break, shop: Shop, ours: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ca_file, pet = tmp_path / "ca.pem", some_pet(shop)
    ca_file.write_bytes(ours.file.read_bytes())
    with Front(behind(shop), ours.context(HOST), HOST) as front, ConnectProxy() as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.url)
        known(tmp_path / "data", shop, front.url, ca_file)
        before, sent, heard = quantity(shop, pet), len(writes(shop)), len(front.heard)
        why, mend = spoil(front, proxy, ca_file, ours)
        with Watched(tmp_path / "data", shop, url=front.url, ca_file=str(ca_file)) as session:
            ids = session.apply(NewChange(stock(pet), AddStock(5), {"quantity": before}))
            assert offline(session) == why
            session.wait_for(ids, ChangeState.QUEUED)
            assert len(front.heard) == heard
            mend()
            session.submit(Retry(ids))
            session.wait_for(ids, ChangeState.DONE)
        assert quantity(shop, pet) == before + 5
        assert len(writes(shop)) == sent + 1
        assert KEY.encode() in front.heard
        assert KEY.encode() not in proxy.heard


@ENDS_NOWHERE
def test_without_the_ca_file_nothing_of_a_session_gets_there(shop: Shop, ours: Authority, tmp_path: Path) -> None:
    with Front(behind(shop), ours.context("localhost")) as front, Watched(tmp_path, shop, url=front.url) as session:
        assert offline(session) == "tls-unknown-authority"
        assert front.heard == b""


def test_a_document_on_another_origin_is_read_without_the_key(shop: Shop, ours: Authority, tmp_path: Path) -> None:
    made = answering(200, load_document("full"))
    with (
        Front(behind(shop), ours.context("localhost")) as front,
        Server(made, ours.context("localhost")) as papers,
        Watched(
            tmp_path, shop, url=front.url, ca_file=str(ours.file), document=f"{papers.origin}/shop.json"
        ) as session,
    ):
        session.wait(lambda: session.of(ContractRead), "the document is read")
        session.wait_loaded(Resource.CATEGORIES)
        assert papers.asked == ["GET /shop.json"]
        assert b"authorization" not in papers.heard.lower()
        assert KEY.encode() not in papers.heard


def test_a_document_that_has_moved_is_not_followed_and_its_place_is_told(
    shop: Shop, ours: Authority, tmp_path: Path
) -> None:
    with (
        Front(behind(shop), ours.context("localhost")) as front,
        Server(answering(200, {}), ours.context("localhost")) as elsewhere,
        Server(answering(302, None, location=f"{elsewhere.origin}/new.json"), ours.context("localhost")) as papers,
        Watched(tmp_path, shop, url=front.url, ca_file=str(ours.file), document=f"{papers.origin}/d") as session,
    ):
        (told,) = session.wait(lambda: session.of(Trouble), "the trouble is told")
        assert isinstance(told.error, DocumentUnusable)
        assert told.error.code == "document-redirected"
        assert told.error.params["target"] == f"{elsewhere.origin}/new.json"
        session.wait_loaded(Resource.CATEGORIES)
        assert elsewhere.connections == 0


def test_a_service_that_sends_one_on_gets_nothing_carried_there(shop: Shop, ours: Authority, tmp_path: Path) -> None:
    with (
        Server(answering(200, []), ours.context("localhost")) as elsewhere,
        Server(answering(308, None, location=f"{elsewhere.origin}/v1"), ours.context("localhost")) as moved,
        Watched(tmp_path, shop, url=moved.url, ca_file=str(ours.file)) as session,
    ):
        ids = session.apply(NewChange(stock(some_pet(shop)), AddStock(5), {"quantity": 1}))
        session.wait_for(ids, ChangeState.REFUSED)
        failed = session.wait(lambda: session.load_failures(Resource.PETS), "the list cannot be read")
        assert isinstance(failed[-1].error, AnswerUnusable)
        assert failed[-1].error.params["target"] == f"{elsewhere.origin}/v1"
        assert elsewhere.connections == 0
