"""Units of measurement: what each is in the base unit of its kind.

Factors are exact: those of the International System, and the international yard and
pound of 1959 (0.9144 m, 0.45359237 kg).
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

_KINDS: Final[Mapping[str, Mapping[str, str]]] = {
    "length": {
        "mm millimetre millimetres millimeter millimeters 毫米": "0.001",
        "cm centimetre centimetres centimeter centimeters 厘米": "0.01",
        "m metre metres meter meters 米": "1",
        "km kilometre kilometres kilometer kilometers 公里 千米": "1000",
        "inch inches": "0.0254",
        "ft foot feet": "0.3048",
        "yd yard yards": "0.9144",
        "mi mile miles": "1609.344",
    },
    "mass": {
        "mg milligram milligrams": "0.000001",
        "g gram grams gramme grammes 克": "0.001",
        "kg kilo kilos kilogram kilograms 公斤 千克": "1",
        "t tonne tonnes 吨": "1000",
        "lb lbs pound-mass": "0.45359237",
        "oz ounce ounces": "0.028349523125",
    },
    "time": {
        "ms millisecond milliseconds": "0.001",
        "s sec secs second seconds 秒": "1",
        "min mins minute minutes 分钟": "60",
        "h hr hrs hour hours 小时": "3600",
        "day days 天": "86400",
        "week weeks 周 星期": "604800",
    },
    "months": {"month months 个月": "1", "year years 年": "12"},
    "volume": {
        "ml millilitre millilitres milliliter milliliters 毫升": "0.001",
        "l litre litres liter liters 升": "1",
    },
    "share": {"% percent percentage 百分": "1"},
    "power": {"w watt watts": "1", "kw kilowatt kilowatts": "1000", "mw": "1000000"},
    "pressure": {"pa": "1", "kpa": "1000", "bar bars": "100000"},
    "degrees": {"° degree degrees 度": "1"},
}

UNITS: Final[Mapping[str, tuple[str, Decimal]]] = {
    name: (kind, Decimal(factor))
    for kind, units in _KINDS.items()
    for names, factor in units.items()
    for name in names.split()
}
"""Name of a unit → its kind, and what one of it is in the base unit."""

CURRENCIES: Final[Mapping[str, str]] = {
    name: code
    for code, names in {
        "EUR": "€ euro euros eur 欧元",
        "USD": "$ dollar dollars usd 美元",
        "GBP": "£ pound pounds gbp 英镑",
        "CNY": "yuan cny rmb 元",
        "JPY": "yen jpy 日元",
        "CHF": "franc francs chf",
        "SEK": "sek krona kronor",
        "cent": "cent cents",
    }.items()
    for name in names.split()
}
"""Name of a currency → its code; no rate is known, so that no two compare."""
