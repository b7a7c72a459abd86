"""How an image may be reached: the places, the logins and the policy that the configuration gives for a reference.

Shell. Everything is looked up anew for each pull, so a changed file or pull secret counts at once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from olmv1.errors import RetryableError
from olmv1.images.configuration import Configuration, Stamp
from olmv1.images.credentials import Credential, Credentials
from olmv1.images.failures import explained
from olmv1.images.meters import PullMeters
from olmv1.images.policy import Policy, Verdict
from olmv1.images.references import Reference
from olmv1.images.registries_conf import Endpoint
from olmv1.images.repository import Repository
from olmv1.images.settings import ImageSettings
from olmv1.images.signed import SignedCopy, signed_source
from olmv1.images.sources import RegistrySource, Source
from olmv1.images.tokens import Tokens
from olmv1.images.transport import Transport
from olmv1.images.trust import TrustStore

__all__ = ["Access"]

_REPOSITORY_LIMIT = 512


class Access:
    """The ways to images of one puller; `credentials` is asked at every pull for what pull secrets say now."""

    def __init__(self, settings: ImageSettings, credentials: Callable[[], Credentials], meters: PullMeters) -> None:
        self._settings = settings
        self._credentials = credentials
        self._configuration = Configuration(settings)
        self._trust = TrustStore(settings.pull_cas_dir, settings.certs_dirs)
        self._transport = Transport(settings, self._trust, meters)
        self._tokens = Tokens(self._transport)
        # A repository remembers how it wants to be asked (token, scheme), which saves a poll two requests.
        self._repositories: OrderedDict[tuple[Endpoint, Credential | None], Repository] = OrderedDict()

    async def registries(self, reference: Reference) -> RegistrySource:
        """The places that may have `reference`.

        Raises:
            RetryableError: the registry is blocked, or a configuration file cannot be read.
        """
        endpoints = await self._endpoints(reference)
        credentials = await self._all_credentials()
        found = [self._repository(endpoint, credentials) for endpoint in endpoints]
        return RegistrySource(found, self._settings.timing.resumes)

    async def policy_warning(self) -> str:
        """What to tell about images being accepted because no policy exists; empty where one does."""
        if await self._configuration.policy() is not None:
            return ""
        looked = ", ".join(str(path) for path in self._settings.policy) or "no path is configured"
        return f"there is no signature policy ({looked}): images are accepted without verification"

    @asynccontextmanager
    async def permitted(self, reference: Reference) -> AsyncIterator[Source]:
        """A source for `reference` (with a digest) that the signature policy allows.

        Raises:
            RetryableError: the policy rejects the image or cannot be read; the file may change without an event.
            TerminalError: the policy asks for a signature, and there is no skopeo to check it.
        """
        policy = await self._configuration.policy()
        match self._verdict(policy, reference):
            case Verdict.ACCEPTED:
                yield await self.registries(reference)
            case Verdict.NEEDS_SIGNATURE if policy is not None:
                async with AsyncExitStack() as stack:
                    with explained("error copying image"):
                        copy = await self._signed_copy(policy, reference)
                        source = await stack.enter_async_context(signed_source(reference, copy))
                    yield source
            case _:
                origin = policy.origin if policy else "a policy is required, but there is none"
                raise RetryableError(f"error copying image: {reference} is rejected by the signature policy ({origin})")

    async def stamp(self) -> Stamp:
        """A value that changes with the configuration on disk."""
        return await self._configuration.stamp()

    async def close(self) -> None:
        """Close all connections."""
        await self._transport.close()

    def _verdict(self, policy: Policy | None, reference: Reference) -> Verdict:
        if policy is not None:
            return policy.verdict(reference)
        return Verdict.REJECTED if self._settings.is_policy_required else Verdict.ACCEPTED

    async def _signed_copy(self, policy: Policy, reference: Reference) -> SignedCopy:
        endpoints = await self._endpoints(reference)
        return SignedCopy(
            skopeo=self._settings.skopeo,
            policy=Path(policy.origin),
            registries_conf=self._configuration.registries_file(),
            endpoints=endpoints,
            credentials=await self._all_credentials(),
            trust=await self._trust.files_for(endpoints[-1].domain),
            temp_dir=self._settings.temp_dir,
        )

    async def _endpoints(self, reference: Reference) -> tuple[Endpoint, ...]:
        with explained("error creating image source"):
            return (await self._configuration.registries()).endpoints_for(reference)

    async def _all_credentials(self) -> Credentials:
        return (await self._configuration.logins()).merged(self._credentials())

    def _repository(self, endpoint: Endpoint, credentials: Credentials) -> Repository:
        key = (endpoint, credentials.credential_for(endpoint.domain, endpoint.repository))
        found = self._repositories.get(key)
        if found is None:
            found = self._repositories[key] = Repository(*key, self._transport, self._tokens)
        self._repositories.move_to_end(key)
        if len(self._repositories) > _REPOSITORY_LIMIT:
            self._repositories.popitem(last=False)
        return found
