"""Values of slots: what people write → what is stored → JSON and back."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, assert_never

from graphmem.errors import InvalidInput
from graphmem.model import Entity, EntityRef, Mention
from graphmem.numerals import as_number
from graphmem.ontology_types import ObjectKind, SlotDef, words_key
from graphmem.quantity import Quantity, is_version, parse_quantity
from graphmem.temporal import Interval, Precision, aware, iso, step, to_interval
from graphmem.text import fold, fold_name

CALENDAR: frozenset[Precision | None] = frozenset({"day", "week", "month", "quarter", "year", "decade"})
MONTHS = {
    name: number
    for number, names in enumerate(
        [
            "jan january",
            "feb february",
            "mar march",
            "apr april",
            "may",
            "jun june",
            "jul july",
            "aug august",
            "sep sept september",
            "oct october",
            "nov november",
            "dec december",
        ],
        start=1,
    )
    for name in names.split()
}
_YEAR, _MONTH, _DAY = r"(?P<year>\d{4})", r"(?P<month>\d{1,2})", r"(?P<day>\d{1,2})"
_NAMED = rf"(?P<named>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
_WRITTEN = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_YEAR}\s?年\s?{_MONTH}\s?月\s?{_DAY}\s?[日号]",
        rf"{_YEAR}\s?年\s?{_MONTH}\s?月",
        rf"{_YEAR}\s?年",
        rf"{_YEAR}[/.]{_MONTH}[/.]{_DAY}",
        rf"(?:the )?{_DAY}(?:st|nd|rd|th)?(?: of)?[ -]{_NAMED},?[ -]{_YEAR}",
        rf"{_NAMED} {_DAY}(?:st|nd|rd|th)?,? {_YEAR}",
        rf"{_NAMED},? {_YEAR}",
        r"(?P<year>\d{4})-W(?P<week>\d{2})",
    )
)
TRUE, FALSE = (
    frozenset(["true", "yes", "y", "1", "on", "是", "对", "有", "真"]),
    frozenset(["false", "no", "n", "0", "off", "否", "不", "不是", "无", "假"]),
)
TRIPLE_FIELDS = {"subject": "subject", "relation": "relation", "predicate": "relation", "object": "object", "value": "object"}


@dataclass(frozen=True, slots=True)
class Unfit:
    """A value that a slot cannot take: why, and what it takes."""

    problem: str
    allowed: tuple[str, ...] = ()


def read_date(value: Any, zone: tzinfo | None) -> Interval | Unfit:
    """Read ISO 8601, `10 March 2026`, `March 2026`, `2026年3月10日`, `2026/3/10`, `2026-W11`, a date, a datetime or an interval."""
    try:
        written = _written(value.strip(), zone) if isinstance(value, str) else None
        return written or to_interval(value, zone)
    except (InvalidInput, ValueError) as exc:
        return Unfit(str(exc), ("2026-03-10", "2026-03-10T09:00:00Z", "10 March 2026", "2026年3月10日"))


def _written(text: str, zone: tzinfo | None) -> Interval | None:
    found = next((match for form in _WRITTEN if (match := form.fullmatch(text))), None)
    if found is None:
        return None
    part = found.groupdict()
    if part.get("week"):
        start, precision = datetime.combine(date.fromisocalendar(int(part["year"]), int(part["week"]), 1), datetime.min.time()), "week"
    else:
        month = MONTHS[part["named"].casefold()] if part.get("named") else int(part.get("month") or 1)
        start = datetime(int(part["year"]), month, int(part.get("day") or 1))  # noqa: DTZ001 — the zone follows
        precision = "day" if part.get("day") else "month" if part.get("named") or part.get("month") else "year"
    start = start.replace(tzinfo=zone or UTC)
    return to_interval({"start": start, "end": step(start, precision), "precision": precision})  # type: ignore[arg-type]  # four literals above


def normal(slot: SlotDef, value: Any, zone: tzinfo | None) -> Any:
    """Give the stored form of a slot's value, or Unfit. `relation` slots and facts' objects are the ontology's own matter."""
    match slot.kind:
        case "enum":
            return _enum(slot, value)
        case "number" | "integer":
            return _number(slot, value)
        case "quantity":
            return read_quantity(value) or Unfit("no quantity", ("5000 CNY", "¥5,000", "30 minutes", "12 kg"))
        case "unit":
            return _unit(value)
        case "date":
            return _moment(slot, read_date(value, zone))
        case "interval":
            return read_date(value, zone)
        case "bool":
            return _bool(value)
        case "entities" | "list":
            return _list(value)
        case "mapping":
            return _mapping(value)
        case "pattern":
            return _pattern(value)
        case "any":
            return _any(value, zone)
        case "text" | "entity" | "relation":
            return read_name(value)
        case _:
            assert_never(slot.kind)


def read_name(value: Any) -> str | Unfit:
    """Read a trimmed text: entities by their name, numbers as written."""
    match value:
        case str():
            return value.strip() or Unfit("empty")
        case bool():
            return Unfit(f"{value!r} is no text")
        case int() | float():
            return f"{as_number(value)}" if math.isfinite(value) else Unfit("not finite")
        case Entity() | EntityRef() | Mention():
            return read_name(value.name)
        case Mapping() if "name" in value:
            return read_name(value["name"])
        case Quantity():
            return str(value)
        case _:
            return Unfit(f"{value!r} is no text")


def _enum(slot: SlotDef, value: Any) -> Any:
    found = slot.spellings.get(words_key(fold(value))) if isinstance(value, str) else None
    return found or Unfit(f"{value!r} is none of its values", slot.values)


def read_quantity(value: Any) -> Quantity | None:
    """Read a quantity from text, a number, or a mapping with number (amount, value) and unit (currency)."""
    match value:
        case Quantity():
            return value if math.isfinite(value.number) else None
        case bool():
            return None
        case int() | float():
            return Quantity(as_number(value), "") if math.isfinite(value) else None
        case str():
            return parse_quantity(value)
        case Mapping():
            number = read_quantity(next((value[key] for key in ("number", "amount", "value") if key in value), None))
            given = value.get("unit") or value.get("currency") or (number.unit if number else "")
            unit = _unit(given) if given else ""
            return None if number is None or isinstance(unit, Unfit) else Quantity(number.number, unit)
        case _:
            return None


def _unit(value: Any) -> str | Unfit:
    """Read the canonical unit where it is a known one (`元` → CNY, `元/晚` → CNY/night), else as written."""
    if not isinstance(value, str) or not value.strip() or len(value) > 40:
        return Unfit(f"{value!r} is no unit", ("CNY", "EUR/night", "kg", "%", "hour"))
    text = value.strip()
    for form in (f"1 {text}", f"1{text}", f"{text}1"):
        found = parse_quantity(form)
        if found is not None and found.unit and found.number == 1:
            return found.unit
    return text


def _number(slot: SlotDef, value: Any) -> Any:
    """Read a finite number in the slot's range; `80%` is .8 where the range ends at 1."""
    quantity = read_quantity(value)
    low = "any" if slot.minimum is None else f"{slot.minimum:g}"
    allowed = (f"{low} to {'any' if slot.maximum is None else f'{slot.maximum:g}'}",)
    if quantity is None or quantity.unit not in {"", "%"}:
        return Unfit(f"{value!r} is no number", allowed)
    number = quantity.number / 100 if quantity.unit == "%" and slot.maximum == 1 else quantity.number
    if not (slot.minimum is None or slot.minimum <= number) or not (slot.maximum is None or number <= slot.maximum):
        return Unfit(f"{value!r} is out of range", allowed)
    if slot.kind == "integer":
        return int(number) if number == int(number) else Unfit(f"{value!r} is no whole number", allowed)
    return as_number(number)


def _moment(slot: SlotDef, found: Interval | Unfit) -> Any:
    """One moment: the start, or for `side: end` the last second of a stated day, month or span."""
    if isinstance(found, Unfit):
        return found
    spans = found.precision in CALENDAR or found.precision is None or found.start is None
    if slot.side == "end" and found.end is not None and spans:
        return found.end - timedelta(seconds=1) if found.precision in CALENDAR else found.end
    return Unfit("has no start", ("2026-03-10",)) if found.start is None else found.start


def _bool(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    key = fold(str(value))
    return True if key in TRUE else False if key in FALSE else Unfit(f"{value!r} is neither true nor false", ("true", "false"))


def _list(value: Any) -> Any:
    if isinstance(value, str):
        value = [part for part in re.split(r"\s*[,，、;；\n]\s*", value) if part.strip()]
    if not isinstance(value, Sequence) or isinstance(value, bytes):
        value = [value]
    items = [read_name(item) for item in value]
    return next((item for item in items if isinstance(item, Unfit)), None) or list(dict.fromkeys(items))


def _mapping(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return Unfit(f"{value!r} is no mapping of names to values")
    items = {str(key).strip(): _any(item, None) for key, item in value.items()}
    return next((item for item in items.values() if isinstance(item, Unfit)), None) or items


def _pattern(value: Any) -> Any:
    """Read a triple pattern, or a list of them; a sentence is kept as {"text": …}, which inference passes over."""
    match value:
        case str():
            return {"text": value.strip()} if value.strip() else Unfit("empty")
        case Mapping():
            if set(value) == {"text"}:
                return dict(value)
            unknown = sorted(set(value) - set(TRIPLE_FIELDS))
            if unknown or not value:
                return Unfit(f"{', '.join(map(str, unknown)) or 'an empty mapping'} is no part of a triple", tuple(TRIPLE_FIELDS))
            return {TRIPLE_FIELDS[key]: _any(item, None) for key, item in value.items()}
        case Sequence():
            items = [_pattern(item) for item in value]
            return next((item for item in items if isinstance(item, Unfit)), None) or items or Unfit("empty")
        case _:
            return Unfit(f"{value!r} is no pattern over triples", tuple(TRIPLE_FIELDS))


def _any(value: Any, zone: tzinfo | None) -> Any:
    """Scalars, quantities, intervals and lists of these; texts stay texts."""
    match value:
        case bool() | Quantity() | Interval():
            return value
        case datetime():
            return read_date(value, zone)
        case date():
            return read_date(value, zone)
        case int() | float():
            return as_number(value) if math.isfinite(value) else Unfit("not finite")
        case Mapping() if (quantity := read_quantity(value)) is not None:
            return quantity
        case list() | tuple():
            items = [_any(item, zone) for item in value]
            return next((item for item in items if isinstance(item, Unfit)), None) or items
        case _:
            return read_name(value)


def normal_object(kind: ObjectKind, value: Any, zone: tzinfo | None, unit: str | None = None) -> tuple[Any, bool]:
    """Read a fact's object as its predicate's kind has it, and whether it fits; what does not fit is kept as text."""
    if isinstance(value, Interval | date) and kind != "date":
        return _plain(_any(value, zone)), kind == "any"
    found: Any
    match kind:
        case "quantity":
            found = read_quantity(value)
            if found is not None and not found.unit and unit:
                found = Quantity(found.number, unit)
        case "number":
            quantity = read_quantity(value)
            found = as_number(quantity.number) if quantity is not None and not quantity.unit else None
        case "date":
            found = read_date(value, zone)
        case "version":
            found = read_version(value)
        case "any":
            found = _any(value, zone)
        case "entity" | "person" | "place" | "organization" | "thing" | "text" | "status":
            found = read_name(value)
        case _:
            assert_never(kind)
    if found is None or isinstance(found, Unfit):
        return _plain(value), False
    return found, True


def _plain(value: Any) -> Any:
    """Keep an object that fits nothing as text, or as it is where it is one of our values."""
    if isinstance(value, Quantity | Interval):
        return value
    text = read_name(value)
    return f"{value}" if isinstance(text, Unfit) else text


def read_version(value: Any) -> Any:
    """`v1.5.3`, `version 1.5.3` and `1.5.3` are one version; a float is written out."""
    text = read_name(value)
    if isinstance(text, str) and is_version(text):
        return re.sub(r"^(?:version\s?|版本\s?|ver\.?\s?|v)", "", text, flags=re.IGNORECASE).strip().removeprefix("v")
    return text


def canonical(value: Any) -> str:
    """Text by which two values count as the same: quantities by number and unit, dates by the calendar unit they name, names folded."""
    match value:
        case Quantity():
            return str(Quantity(as_number(value.number), value.unit))
        case Interval():
            return _canonical_interval(value)
        case bool():
            return str(value).lower()
        case int() | float():
            return str(as_number(value))
        case datetime():
            return iso(aware(value)) or ""
        case list() | tuple():
            return "; ".join(sorted(canonical(item) for item in value))
        case Mapping():
            return "; ".join(f"{key}={canonical(item)}" for key, item in sorted(value.items()))
        case _:
            return _canonical_text(str(value))


def _canonical_interval(value: Interval) -> str:
    """Stated days have no zone: half a day is added, so that midnight in any zone from −12 to +12 names its own date."""
    if value.start is None or value.precision not in CALENDAR:
        return f"{iso(value.start) or ''}/{iso(value.end) or ''}"
    day = (value.start + timedelta(hours=12)).date().isoformat()
    return {"day": day, "month": day[:7], "year": day[:4]}.get(str(value.precision), f"{day} {value.precision}")


def _canonical_text(text: str) -> str:
    quantity = None if re.match(r"0\d|\d{16}", text) else parse_quantity(text)
    if quantity is not None and (quantity.unit or not is_version(text)):
        return canonical(quantity)
    try:
        written = _written(text.strip(), UTC)
    except ValueError:
        written = None
    return canonical(written) if written and written.precision != "year" else fold_name(text)


def to_json(value: Any) -> Any:
    """JSON for a stored value: moments as text in UTC, quantities as {number, unit}, intervals as {start, end, precision}."""
    match value:
        case Quantity():
            return {"number": value.number, "unit": value.unit}
        case Interval():
            return value.to_json()
        case datetime():
            return iso(value)
        case list() | tuple():
            return [to_json(item) for item in value]
        case Mapping():
            return {str(key): to_json(item) for key, item in value.items()}
        case _:
            return value


def from_json(slot: SlotDef | None, value: Any) -> Any:
    """Read the stored value that `to_json` wrote; only date slots read a text as a moment."""
    if isinstance(value, str) and slot is not None and slot.kind == "date":
        return aware(datetime.fromisoformat(value))
    match value:
        case Mapping() if set(value) == {"number", "unit"}:
            return Quantity(value["number"], value["unit"])
        case Mapping() if set(value) == {"start", "end", "precision"}:
            start, end = (moment and aware(datetime.fromisoformat(moment)) for moment in (value["start"], value["end"]))
            return Interval(start, end, value["precision"])
        case Mapping():
            return {key: from_json(None, item) for key, item in value.items()}
        case list() | tuple():
            return [from_json(None, item) for item in value]
        case _:
            return value
