"""Who calls: API keys bound to users and rights, and how often they may call."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from graphmem.config import ApiKey
from graphmem.errors import ConfigurationError

Right: TypeAlias = Literal["read", "write", "admin"]
EVERYONE = "*"
REMEMBERED_BUCKETS = 10_000


@dataclass(frozen=True, slots=True)
class Caller:
    """A request's key, by a name that may be kept and counted (never the key itself)."""

    name: str
    users: frozenset[str]
    rights: frozenset[Right]

    def opens(self, user_id: str) -> bool:
        return EVERYONE in self.users or user_id in self.users

    def may(self, right: Right) -> bool:
        return right in self.rights


OWNER = Caller("local", frozenset({EVERYONE}), frozenset({"read", "write", "admin"}))
"""Whoever reaches a server that has no keys; such a server listens on this machine only, unless told otherwise."""


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


@dataclass(frozen=True, slots=True)
class Keyring:
    """Keys by their digests: comparing digests takes as long for a near miss as for a far one."""

    entries: tuple[tuple[bytes, Caller], ...] = ()

    @classmethod
    def of(cls, keys: Sequence[ApiKey]) -> Keyring:
        digests = [_digest(one.key.get_secret_value()) for one in keys]
        if len(set(digests)) < len(digests):
            raise ConfigurationError("api_keys names one key twice; give every entry its own")
        return cls(
            tuple(
                (digest, Caller(digest.hex()[:8], frozenset(one.users), frozenset(one.rights)))
                for digest, one in zip(digests, keys, strict=True)
            )
        )

    def caller(self, token: str | None) -> Caller | None:
        """Looks at every entry, found or not, so that time tells nothing."""
        if not self.entries:
            return OWNER
        if token is None:
            return None
        wanted, found = _digest(token), None
        for digest, caller in self.entries:
            if hmac.compare_digest(digest, wanted):
                found = caller
        return found


def is_loopback(host: str) -> bool:
    """Whether a host name or address, with or without a port, is this machine."""
    name = host.rsplit(":", 1)[0] if host.count(":") == 1 or (host.startswith("[") and "]:" in host) else host
    name = name.strip("[]").lower()
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def check_binding(host: str, keys: Sequence[ApiKey], *, insecure: bool) -> None:
    if not keys and not insecure and not is_loopback(host):
        raise ConfigurationError(
            f"without keys the server listens on this machine only, not on {host}; set GRAPHMEM_API_KEYS, or pass --insecure "
            "where something before it decides who may come in"
        )


@dataclass(slots=True)
class Limiter:
    """A token bucket for each name: `rate` a second, twice as many at once; the names used longest ago are dropped."""

    rate: float
    clock: Callable[[], float]
    buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def wait(self, name: str) -> float:
        """Takes one token; 0, or the seconds until there is one."""
        if self.rate == 0:
            return 0.0
        now, most = self.clock(), max(1.0, 2 * self.rate)
        tokens, before = self.buckets.pop(name, (most, now))
        tokens = min(most, tokens + (now - before) * self.rate)
        taken = tokens >= 1
        self.buckets[name] = (tokens - taken, now)
        if len(self.buckets) > REMEMBERED_BUCKETS:
            self.buckets.popitem(last=False)
        return 0.0 if taken else (1 - tokens) / self.rate
