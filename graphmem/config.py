"""Settings: the only reader of the environment (`GRAPHMEM_…`, and `NEO4J_…` for a server's credentials)."""

from __future__ import annotations

import os
import sys
from functools import cached_property
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from graphmem.errors import ConfigurationError
from graphmem.model import Policy


def data_folder() -> Path:
    """Where the platform keeps an application's data."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", str(Path.home() / "AppData/Local"))) / "graphmem"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/graphmem"
    return Path(os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local/share")) / "graphmem"


def cache_folder() -> Path:
    """Where the platform keeps what can be built again."""
    if sys.platform == "win32":
        return data_folder() / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/graphmem"
    return Path(os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")) / "graphmem"


class ApiKey(BaseModel):
    """Who may do what over HTTP; each right stands for itself, so most keys name several."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: SecretStr = Field(min_length=16, description="what the client sends as its bearer token")
    users: tuple[str, ...] = Field(min_length=1, description='the scopes it opens; "*" opens every one')
    rights: frozenset[Literal["read", "write", "admin"]] = frozenset({"read", "write"})


class Settings(BaseSettings):
    """Every knob, with its default; an unknown `GRAPHMEM_…` argument to the constructor is refused."""

    model_config = SettingsConfigDict(env_prefix="GRAPHMEM_", extra="forbid", frozen=True, populate_by_name=True)

    store: str | None = Field(None, description="a path, ':memory:' or a neo4j:// URL; None: a file in the platform's data folder")
    user: str = Field("default", description="the scope when none is given")
    timezone: str | None = Field(None, description="IANA name in which naive datetimes and bare dates are read; None: naive is refused")
    cache: Path = Field(default_factory=cache_folder, description="folder for built models")

    embedder: str = Field(
        "auto",
        description="auto (the local model if [local] is installed, else none), none, onnx:FOLDER, sentence-transformers:NAME, openai:MODEL",
    )
    token_vectors: Literal["off", "int8", "compact"] = Field("int8", description="what is kept for late interaction")
    extraction: bool = Field(True, description="whether remember learns typed memories")
    dialogue_acts: bool = Field(False, description="whether the act of a turn becomes a memory of its own")
    min_confidence: float = Field(0.5, ge=0, le=1, description="below it an extracted memory is rejected")
    policy: Policy = Field("latest", description="how conflicts are decided where the ontology and the call say nothing")
    ontology: Path | None = Field(None, description="a YAML file that extends core@1")
    remember_access: bool = Field(True, description="whether recalls are counted on the memories")

    llm_base_url: str | None = Field(None, description="an OpenAI-compatible endpoint; None: no language model")
    llm_api_key: SecretStr | None = None
    llm_model: str = "gpt-4o-mini"
    llm_timeout: float = Field(60.0, gt=0, description="seconds for one answer of the language model")

    pii: Literal["off", "tag", "redact"] = Field("off", description="what is done with personal data in turns before anything is stored")
    pii_kinds: frozenset[Literal["phone", "email", "id_card", "bank_card", "ip", "name"]] = Field(
        frozenset({"phone", "email", "id_card", "bank_card", "ip"}), description="which kinds; name needs the extra [pii]"
    )

    api_keys: tuple[ApiKey, ...] = Field(
        (), description='keys of the REST server: JSON such as [{"key": "…", "users": ["alice"], "rights": ["read", "write"]}]'
    )
    rest_insecure: bool = Field(False, description="lets the REST server listen beyond this machine without any key")
    rest_max_body: int = Field(8 * 1024 * 1024, ge=1024, description="bytes of the largest request that the REST server reads")
    rest_rate: float = Field(100.0, ge=0, description="requests a second for each key (twice as many at once); 0: no limit")

    neo4j_username: str = Field("neo4j", validation_alias=AliasChoices("GRAPHMEM_NEO4J_USERNAME", "NEO4J_USERNAME", "NEO4J_USER"))
    neo4j_password: SecretStr | None = Field(None, validation_alias=AliasChoices("GRAPHMEM_NEO4J_PASSWORD", "NEO4J_PASSWORD"))
    neo4j_database: str | None = Field(None, validation_alias=AliasChoices("GRAPHMEM_NEO4J_DATABASE", "NEO4J_DATABASE"))
    neo4j_pool_size: int = Field(50, ge=1)
    neo4j_timeout: float = Field(60.0, gt=0, description="seconds that one transaction is retried before StoreUnavailable")

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                ZoneInfo(value)
            except (ZoneInfoNotFoundError, ValueError) as error:
                raise ValueError(f"{value!r} is no time zone; give an IANA name such as Europe/Berlin or Asia/Shanghai") from error
        return value

    @cached_property
    def zone(self) -> ZoneInfo | None:
        return None if self.timezone is None else ZoneInfo(self.timezone)

    @property
    def location(self) -> str:
        return self.store or str(data_folder() / "memory.db")


def load_settings(**given: object) -> Settings:
    """Settings from the environment with these on top; says in one line which value is wrong."""
    try:
        return Settings(**given)  # type: ignore[arg-type]  # pydantic validates what comes from outside
    except SettingsError as error:
        raise ConfigurationError(f"{error}: it must be JSON") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigurationError(f"setting {where}: {first['msg']}") from error
