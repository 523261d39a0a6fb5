"""A service that speaks as a scenario says, in virtual time or over a real socket, and keeps what it is told.

service = Service(scenario, loop)                  # in virtual time: VirtualDesk(loop, service, folder)
with Service(scenario).served() as service:        # over a real socket: service.url, service.key
    ...
service.kept[Resource.PETS][7]                     # a record in the service's own shape
service.records.put(Resource.PETS, 7, "name", "X") # a colleague
service.value(Resource.PETS, 7, "name")            # by the program's names
service.written                                    # Write(method, path, body, status), those that were lost too
service.asked                                      # path and query of all that was read, but the document
service.complaints                                 # what no client of its document does: must stay empty
service.refuse(7)                                  # the next request gets 429; none may come for 7 s
service.lost = 1                                   # the next write is done and not answered
service.unseen = 1                                 # the next write is neither done nor answered
service.deaf_s = 30                                # after such a write no answer comes for so long
service.late_s = 60                                # what is answered 202 is done so much later
service.broken = 1                                 # the next answer to a list breaks off in its middle
service.cached_s = 60                              # a cache on the way keeps what is read for so long
service.meanwhile = [act]                          # done after an answer to a list that another one follows
service.bindings                                   # what a person says: ShopConnection(..., bindings=service.bindings)
service.further                                    # the keys beside the main one, by security scheme
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any, NoReturn, cast
from urllib.parse import parse_qsl, unquote

import httpx

from petstore_desktop.contract.operations import PARAMETER, Verb, value_at
from petstore_desktop.domain.records import Resource
from tests.support.book_shop import Line
from tests.support.services.document import document_of
from tests.support.services.keys import FURTHER, MAIN, keys_of
from tests.support.services.lists import BadQuery, above, goes_on, named, page_of
from tests.support.services.records import Records, Refusal
from tests.support.services.scenario import PAGING, WORDS, Route, Scenario, routes
from tests.support.virtual_time import VirtualTime

PER_MINUTE = 6_000


@dataclass(frozen=True, slots=True)
class Write:
    """A request that was to change something, and the status that it was answered, or would have been."""

    method: str
    path: str
    body: Any
    status: int


class Broken(httpx.AsyncByteStream):
    """The first half of an answer."""

    def __init__(self, half: bytes) -> None:
        self.half = half

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self.half
        raise httpx.ReadError("the line broke")


class Service:
    """The service of one scenario; see above."""

    latency_s = 0.04

    def __init__(self, scenario: Scenario, loop: VirtualTime | None = None) -> None:
        self.scenario = scenario
        self.url = f"http://127.0.0.1:9{scenario.root}"
        self.key = MAIN
        self.further = FURTHER.get(scenario.security, {})
        self.records = Records(scenario)
        self.document = document_of(scenario)
        self.asked: list[str] = []
        self.written: list[Write] = []
        self.complaints: list[str] = []
        self.meanwhile: list[Callable[[], object]] = []
        self.lost = self.unseen = self.broken = 0
        self.deaf_s = self.late_s = 0.0
        self.behind_s = self.cached_s = 0.0
        self._cache: dict[str, tuple[float, httpx.Response]] = {}
        self._copies: list[tuple[float, dict[Resource, dict[int | str, dict[str, Any]]]]] = []
        self._deaf_until = 0.0
        self._loop = loop
        self._now: Callable[[], float] = time.monotonic if loop is None else loop.time
        self._wall: Callable[[], float] = time.time if loop is None else lambda: loop.wall
        self._refusing, self._paused_until = 0.0, -1.0
        self._used = 0
        self._lock = threading.Lock()
        self._routes = [(one, _pattern(scenario, one)) for one in routes(scenario)]

    @property
    def kept(self) -> dict[Resource, dict[int | str, dict[str, Any]]]:
        """Its records by its own ids."""
        return self.records.kept

    @property
    def bindings(self) -> dict[str, str]:
        """What a person has to say, since its document does not."""
        return {f"{PARAMETER}{one.name}": one.value for one in self.scenario.demands if not one.told}

    def value(self, resource: Resource, key: int | str, field: str) -> Any:
        """What a record has in a field, by the program's name for it; None where it has none."""
        return value_at(self.kept[resource][key], self.scenario.kinds[resource].fields.get(field, ("?",)))

    def line(self) -> Line:
        """A network between one desk and this service."""
        return Line(self)

    def refuse(self, seconds: float) -> None:
        """Answer the next request with 429, and complain of any that comes before so many seconds are over."""
        self._refusing = seconds

    @contextmanager
    def served(self) -> Generator[Service]:
        """Serve it over a socket while the block lasts."""
        from tests.support.services.sockets import serving

        with serving(self) as origin:
            self.url = f"{origin}{self.scenario.root}"
            yield self

    # ------------------------------------------------------------ one request

    def answer(self, request: httpx.Request) -> httpx.Response:
        """Answer one request. Raises httpx.ReadError where no answer comes."""
        with self._lock:
            if self._now() < self._deaf_until:
                raise httpx.ConnectError("nobody there", request=request)
            if request.method != "GET" and self.unseen:
                self.unseen -= 1
                self._is_lost(request)
            if request.method == "GET" and request.url.path == self.scenario.document_path:
                return self._published()
            if request.method == "GET" and self._route(request) is None:
                return httpx.Response(404, json={"code": "none", "message": "no such page"})
            if request.method == "GET" and (kept := self._of_cache(request)) is not None:
                return kept
            try:
                done = self._accepted(request) if self._accepts(request) else self._of_copy(request)
            except Refusal as refusal:
                if refusal.wrong and self.scenario.document != "none":
                    self.complaints.append(f"{request.method} {request.url.raw_path.decode()}: {refusal}")
                done = httpx.Response(refusal.status, json={"code": "no", "message": str(refusal), "status": 4})
                if refusal.status == 429:
                    done.headers["Retry-After"] = str(round(self._refusing))
                    self._refusing = 0.0
            done.headers.update(self._limits())
            if request.method == "GET" and self.cached_s and done.status_code in (200, 404):
                self._cache[str(request.url)] = (self._now(), done)
            return self._sent(request, done)

    def _of_cache(self, request: httpx.Request) -> httpx.Response | None:
        """What a cache on the way has of it, whatever the request says of caches."""
        at, done = self._cache.get(str(request.url), (-self.cached_s, None))
        age = self._now() - at
        if done is None or age >= self.cached_s:
            return None
        self.asked.append(request.url.raw_path.decode())
        return httpx.Response(
            done.status_code, content=done.content, headers=[*done.headers.items(), ("Age", f"{age:.0f}")]
        )

    def _sent(self, request: httpx.Request, done: httpx.Response) -> httpx.Response:
        if request.method != "GET":
            body = json.loads(request.content) if request.content else None
            self.written.append(Write(request.method, request.url.path, body, done.status_code))
            if self.lost and done.status_code < 300:
                self.lost -= 1
                self._is_lost(request)
            return done
        self.asked.append(request.url.raw_path.decode())
        route = self._route(request)
        if self.broken and route is not None and route[0].verb is Verb.LIST and done.status_code == 200:
            self.broken -= 1
            half = done.content[: len(done.content) // 2]
            return httpx.Response(200, stream=Broken(half), headers={"Content-Type": self.scenario.media})
        return done

    def _is_lost(self, request: httpx.Request) -> NoReturn:
        self._deaf_until = self._now() + self.deaf_s
        raise httpx.ReadError("the line broke", request=request)

    def _of_copy(self, request: httpx.Request) -> httpx.Response:
        """What is read comes from a copy that is `behind_s` seconds behind what is written."""
        if not self.behind_s:
            return self._done(request)
        now, kept = self._now(), self.records.kept
        if request.method != "GET":
            self._copies.append((now, self.records.whole()))  # what there was until now
            return self._done(request)
        later = [copy for until, copy in self._copies if until > now - self.behind_s]
        self.records.kept = later[0] if later else kept
        try:
            return self._done(request)
        finally:
            self.records.kept = kept

    def _accepts(self, request: httpx.Request) -> bool:
        return self.scenario.accepts and request.method not in ("GET", "POST")

    def _accepted(self, request: httpx.Request) -> httpx.Response:
        """It will be done, which says nothing of whether it could be."""
        if self.late_s and self._loop is not None:
            self._loop.call_later(self.late_s, self._done, request)
        else:
            self._done(request)
        return httpx.Response(202)

    def _published(self) -> httpx.Response:
        if self.scenario.document == "none":
            return httpx.Response(404)
        return httpx.Response(200, json=self.document)

    def _route(self, request: httpx.Request) -> tuple[Route, str] | None:
        path = request.url.raw_path.decode().partition("?")[0]
        for route, pattern in self._routes:
            if route.method == request.method and (found := pattern.fullmatch(path)):
                return route, unquote(found[1]) if pattern.groups else ""
        return None

    def _done(self, request: httpx.Request) -> httpx.Response:
        found = self._route(request)
        if found is None:
            raise Refusal(405, "nothing is there")
        route, said = found
        self._check_pause()
        query = dict(parse_qsl(request.url.query.decode(), keep_blank_values=True))
        self._check_keys(route, request, query)
        self._check_demands(request, query)
        if route.verb is Verb.LIST:
            return self._listed(route, request, query)
        if query:
            raise Refusal(422, f"no parameters are taken: {query}")
        if route.verb is Verb.CREATE:
            return self._created(
                route.resource, self.records.create(route.resource, self._body(request, route.resource))
            )
        return self._of_one(route.resource, route.verb, said, request)

    def _of_one(self, resource: Resource, verb: Verb, said: str, request: httpx.Request) -> httpx.Response:
        """A request that concerns one record; `said`: its id in the path."""
        if verb is Verb.CHANGE and self.scenario.in_body:
            said = str(self.records.id_of(resource, self._body(request, resource)))
        key = self.records.found(resource, said)
        if verb is not Verb.READ:
            self._check_tag(request, resource, key)
        if verb is Verb.CHANGE:
            self.records.change(resource, key, self._body(request, resource))
            if self.scenario.changed == "nothing":
                return httpx.Response(204)
        if verb is Verb.DELETE:
            self.records.delete(resource, key)
            said = self.scenario.deleted
            return httpx.Response(204) if said is None else self._json(200, said)
        return self._shown(resource, key)

    # ------------------------------------------------------------ what is demanded

    def _check_pause(self) -> None:
        now = self._now()
        self._used += 1
        if now < self._paused_until:
            self.complaints.append(f"a request came {self._paused_until - now:.2f} s too soon")
        if self._refusing:
            self._paused_until = now + self._refusing
            raise Refusal(429, "too many requests", wrong=False)

    def _check_keys(self, route: Route, request: httpx.Request, query: dict[str, str]) -> None:
        wanted = keys_of(self.scenario, route.resource)
        for (place, name), value in wanted.items():
            came = query.pop(name, None) if place == "query" else request.headers.get(name)
            if came != value:
                raise Refusal(401, f"the key {name} is not known: {came}")
        mine = {*keys_of(self.scenario, None), *wanted}
        if strange := [n for _, n in mine - wanted.keys() if n.lower() in request.headers or n in query]:
            raise Refusal(401, f"the keys {strange} are for other operations")
        if not wanted and "authorization" in request.headers:
            raise Refusal(401, "nobody asked for a key")

    def _check_demands(self, request: httpx.Request, query: dict[str, str]) -> None:
        for one in self.scenario.demands:
            came = query.pop(one.name, None) if one.place == "query" else request.headers.get(one.name)
            if came != one.value:
                raise Refusal(400, f"{one.name} is demanded, and came as {came}")

    def _check_tag(self, request: httpx.Request, resource: Resource, key: int | str) -> None:
        said = request.headers.get("if-match")
        if said is not None and not self.scenario.etags:
            raise Refusal(422, "there are no validators here")
        if said is not None and said != self.records.etag(resource, key):
            raise Refusal(412, "somebody has changed it", wrong=False)

    def _body(self, request: httpx.Request, resource: Resource) -> Any:
        kind = request.headers.get("content-type", "").partition(";")[0]
        wanted = (self.scenario.patch_media if request.method == "PATCH" else "") or self.scenario.media
        if kind != wanted:
            raise Refusal(415, f"{wanted} is wanted, not {kind}")
        body: Any = json.loads(request.content)
        name = named(self.scenario.body, WORDS[resource])
        if not name:
            return body
        held = cast("dict[str, Any]", body) if isinstance(body, dict) else {}
        if list(held) != [name]:
            raise Refusal(422, f"the record is wanted under {name}")
        return held[name]

    # ------------------------------------------------------------ answers

    def _listed(self, route: Route, request: httpx.Request, query: dict[str, str]) -> httpx.Response:
        resource, kind = route.resource, self.scenario.kinds[route.resource]
        rows, another = list(self.kept[resource].values()), False
        if kind.by_status:
            word = query.pop("status", "")
            if word not in self.scenario.statuses:
                raise Refusal(400, f"no status: {word}")
            rows = [row for row in rows if value_at(row, kind.fields["status"]) == word]
            another = word != self.scenario.statuses[-1]
        allowed = {name for name in PAGING[self.scenario.paging][:2] if name}
        if (strange := query.keys() - allowed) and self.scenario.document != "none":
            raise Refusal(400, f"the parameters {strange} are not known")
        address = str(request.url.copy_with(query=None))
        try:
            body, headers = page_of(self.scenario, WORDS[resource], rows, query, address)
        except BadQuery as bad:
            raise Refusal(400, str(bad)) from None
        answer = self._json(200, body, headers)
        if self.meanwhile and (another or goes_on(self.scenario, body, WORDS[resource], rows)):
            self.meanwhile.pop(0)()
        return answer

    def _created(self, resource: Resource, key: int | str) -> httpx.Response:
        place = {"Location": f"{self.scenario.root}{self.scenario.kinds[resource].path}/{key}"}
        match self.scenario.created:
            case "whole":
                return self._shown(resource, key, 201)
            case "id":
                return self._json(201, {"id": key})
            case "location":
                return httpx.Response(201, headers=place)
            case _:
                return httpx.Response(201)

    def _shown(self, resource: Resource, key: int | str, status: int = 200) -> httpx.Response:
        tag = {"ETag": self.records.etag(resource, key)} if self.scenario.etags else {}
        return self._json(status, above(self.scenario, WORDS[resource], self.kept[resource][key]), tag)

    def _json(self, status: int, body: object, headers: dict[str, str] | None = None) -> httpx.Response:
        content = json.dumps(body, ensure_ascii=False).encode()
        return httpx.Response(status, content=content, headers={"Content-Type": self.scenario.media, **(headers or {})})

    def _limits(self) -> dict[str, str]:
        left = max(0, PER_MINUTE - self._used)
        dated = {"Date": formatdate(self._wall(), usegmt=True)}
        match self.scenario.limits:
            case "none":
                return dated
            case "standard":
                return dated | {"RateLimit": f"limit={PER_MINUTE}, remaining={left}, reset=60"}
            case _:
                return dated | {
                    "X-RateLimit-Limit": str(PER_MINUTE),
                    "X-RateLimit-Remaining": str(left),
                    "X-RateLimit-Reset": str(int(self._wall()) + 60),
                }


def _pattern(scenario: Scenario, route: Route) -> re.Pattern[str]:
    parts = (f"{scenario.root}{route.path}").split("{id}")
    return re.compile("([^/]+)".join(map(re.escape, parts)))
