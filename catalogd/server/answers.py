"""Answers with content: which bytes, which coding, which status. Rule: catalogd-http.md 3, 4, 6, 7."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aiohttp import web

from catalogd.server.bodies import Body, send_compressed, send_plain
from catalogd.server.encodings import Encoding, choose_encoding
from catalogd.server.preconditions import Validators, http_date, is_range_current, judge
from catalogd.server.problems import COMMON_HEADERS, problem
from catalogd.server.ranges import Unsatisfiable, range_of
from catalogd.store import Snapshot

__all__ = ["Answer", "answer_of", "send"]

_COMPRESS_FROM_BYTES = 1024


@dataclass(frozen=True, slots=True)
class Answer:
    """A status with a body that is still in files; `packing` is the coding that is yet to be applied to it."""

    status: int
    headers: Mapping[str, str]
    body: Body
    packing: Encoding = Encoding.IDENTITY

    def response(self) -> web.StreamResponse:
        """The response that carries the answer, not sent yet."""
        return web.StreamResponse(status=self.status, headers=self.headers)


def answer_of(request: web.BaseRequest, snapshot: Snapshot, selected: Body | None) -> Answer | web.Response:
    """The answer to a GET or HEAD: the content of `snapshot`, or only `selected` of its data file.

    The whole content comes precompressed from the volume; a selection is packed while it is sent, from 1024 bytes on.
    HEAD and answers to a range are never compressed.
    """
    validators = Validators(snapshot.manifest.content_digest, snapshot.manifest.changed_at_s)
    verdict = judge(request.headers, validators)
    if verdict.status == 412:
        return web.Response(status=412, headers=COMMON_HEADERS)
    plain = Body.whole(snapshot.data) if selected is None else selected
    is_ranged = "Range" in request.headers and is_range_current(request.headers, validators)
    encoding = Encoding.IDENTITY
    if request.method == "GET" and not is_ranged:
        encoding = choose_encoding(request.headers.get("Accept-Encoding"))
    headers = {
        **COMMON_HEADERS,
        "ETag": verdict.tag or validators.tag(encoding),
        "Last-Modified": http_date(validators.modified_s),
        "Cache-Control": "no-cache",
    }
    if verdict.status == 304:
        return web.Response(status=304, headers=headers)
    headers["Content-Type"] = "application/jsonl"
    # A small answer keeps the tag of the coding that was asked for: all answers to a client name the content alike.
    if encoding is Encoding.IDENTITY or plain.length < _COMPRESS_FROM_BYTES:
        return _ranged(request, {**headers, "Accept-Ranges": "bytes"}, plain, is_ranged=is_ranged)
    headers["Content-Encoding"] = encoding.value
    if selected is None:
        packed = snapshot.zstd if encoding is Encoding.ZSTD else snapshot.gzip
        return Answer(200, headers, Body.whole(packed))
    return Answer(200, headers, selected, encoding)


async def send(request: web.BaseRequest, response: web.StreamResponse, answer: Answer) -> None:
    """Send all of `answer` as `response`.

    Raises:
        ConnectionError: the client left.
        EOFError: a content file ends early.
    """
    if answer.packing is Encoding.IDENTITY:
        await send_plain(request, response, answer.body)
    else:
        await send_compressed(request, response, answer.packing, answer.body)


def _ranged(
    request: web.BaseRequest, headers: Mapping[str, str], body: Body, *, is_ranged: bool
) -> Answer | web.Response:
    wanted = range_of(request.headers.get("Range"), body.length) if is_ranged else None
    if wanted is None:
        return Answer(200, headers, body)
    if isinstance(wanted, Unsatisfiable):
        content_range = {"Content-Range": f"bytes */{body.length}"}
        return problem(request, 416, "invalid range: failed to overlap", headers=content_range)
    content_range = {"Content-Range": f"bytes {wanted.start}-{wanted.stop - 1}/{body.length}"}
    return Answer(206, {**headers, **content_range}, body.part(wanted))
