"""Words that cannot both be said of one thing at one time, in pairs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

_PAIRS: Final = (
    "open closed/opens closes/opened closed/allowed forbidden/allowed prohibited/"
    "permitted forbidden/permitted prohibited/allows forbids/allows prohibits/"
    "permits forbids/required optional/mandatory optional/required voluntary/"
    "mandatory voluntary/true false/alive dead/present absent/full empty/on off/"
    "start stop/starts stops/started stopped/begins ends/began ended/increase decrease/"
    "increases decreases/increased decreased/rise fall/rises falls/rose fell/"
    "rising falling/grew shrank/gain lose/gains loses/gained lost/win lose/wins loses/"
    "won lost/accept reject/accepts rejects/accepted rejected/approved rejected/"
    "approve reject/approves rejects/include exclude/includes excludes/"
    "included excluded/enable disable/enables disables/enabled disabled/"
    "enabled disabled/active inactive/valid invalid/legal illegal/lawful unlawful/"
    "possible impossible/able unable/available unavailable/known unknown/"
    "complete incomplete/safe unsafe/safe dangerous/public private/free paid/"
    "internal external/inside outside/indoor outdoor/indoors outdoors/"
    "before after/above below/over under/first last/early late/earlier later/"
    "earliest latest/old young/older younger/oldest youngest/old new/oldest newest/"
    "large small/larger smaller/largest smallest/big small/bigger smaller/"
    "biggest smallest/high low/higher lower/highest lowest/long short/longer shorter/"
    "longest shortest/wide narrow/heavy light/heavier lighter/fast slow/faster slower/"
    "hot cold/warm cool/wet dry/hard soft/strong weak/rich poor/good bad/better worse/"
    "best worst/more less/most least/more fewer/most fewest/many few/always never/"
    "all none/everyone nobody/married single/married unmarried/male female/man woman/"
    "father mother/brother sister/son daughter/husband wife/king queen/actor actress/"
    "north south/east west/northern southern/eastern western/left right/"
    "day night/morning evening/summer winter/import export/imports exports/buy sell/"
    "buys sells/bought sold/success failure/successful unsuccessful/success flop/"
    "fiction non-fiction/fictional real/hero villain/protagonist antagonist/"
    "ally enemy/war peace/amateur professional/domestic foreign/local foreign/"
    "positive negative/same different/similar different/single married/"
    "temporary permanent/fixed variable/vacant occupied/locked unlocked/"
    "manual automatic/liquid solid/major minor/maximum minimum/senior junior/"
    "开 关/开放 关闭/允许 禁止/可以 不得/必须 不必/增加 减少/上升 下降/有 无/生 死/"
    "大 小/高 低/长 短/前 后/左 右/男 女/收入 支出/成功 失败/接受 拒绝"
)


def _table() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for pair in _PAIRS.split("/"):
        one, other = pair.split()
        found[one].add(other)
        found[other].add(one)
    return {word: frozenset(others) for word, others in found.items()}


OPPOSITES: Final = _table()
"""Word → those that cannot be said of the same thing at the same time."""
