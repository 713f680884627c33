"""Kinds of questions that rules read badly if they are not careful, over a small plant.

What is answered is right word for word; what cannot be told is abstained from, and the
answer says what was not understood.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from aitia import Answer, Workspace

MACHINES = """machine_id,name,type,site,installed,power,built
M-1,Alto,filling machine,Norrby,2012-03-05,40,2011-05-05
M-2,Bora,filling machine,Norrby,2019-10-01,55,2017-01-02
M-3,Cirro,labeller,Norrby,2008-07-14,12,2007-03-03
M-4,Duna,filling machine,Ostby,2016-02-29,60,2015-11-30
"""
ORDERS = """[
 {"order_id": "P-11", "machine_id": "M-1", "status": "shipped", "placed": "2025-03-02",
  "total": 900, "reason": "late payment"},
 {"order_id": "P-12", "machine_id": "M-2", "status": "shipped", "placed": "2024-03-20",
  "total": 120},
 {"order_id": "P-13", "machine_id": "M-4", "status": "cancelled", "placed": "2025-06-11",
  "total": 310, "reason": "the buyer changed plans"},
 {"order_id": "P-14", "machine_id": "M-1", "status": "cancelled", "placed": "2025-08-30",
  "total": 77},
 {"order_id": "P-15", "machine_id": "M-4", "status": "pending", "placed": "2025-03-28",
  "total": 45}
]
"""
PEOPLE = """person_id,name,role,site,hired,age
E1,Ada Pell,engineer,Norrby,2011-01-10,51
E2,Ben Oduya,engineer,Ostby,2015-09-01,34
E3,Cleo Marsh,engineer,Norrby,2019-05-05,29
E4,Dan Firth,driver,Norrby,2017-03-17,60
"""
RULES = """# Rules of the plant

Shipped orders are archived after a year. Engineers carry a badge.
At least 3 engineers must be present at a test run.
Shipping is free for orders above 500 euro.
Refunds are not paid for orders under 20 euro.
Goods can be returned within 30 days.
Samples are free for members above 50 euro.
Parcels of no more than 5 kg can be collected.
The Norrby hall was founded in 1931. The Ostby hall was founded in 1956.
The gate hall was rebuilt in 1956. The tower was rebuilt in May 1956.
The June audit was postponed because the auditor was ill.
The July audit was postponed.
"""
FILES = {
    "machines.csv": MACHINES,
    "orders.json": ORDERS,
    "people.csv": PEOPLE,
    "rules.md": RULES,
}


@pytest.fixture(scope="module")
def plant(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """The plant, open for all tests of this file."""
    folder = tmp_path_factory.mktemp("plant")
    (folder / "plant").mkdir()
    for name, text in FILES.items():
        (folder / "plant" / name).write_text(text, "utf-8")
    with Workspace.open(folder / "ws") as workspace:
        assert workspace.ingest([folder / "plant"]).exit_code == 0
        yield workspace


COUNTS = {
    "How many shipped orders are there?": "2 orders with status 'shipped'.",
    "How many engineers are there?": "3 people with role 'engineer'.",
    "How many filling machines are there?": "3 machines with type 'filling machine'.",
    "How many engineers must be present at a test run?": (
        "At least 3 engineers must be present at a test run."
    ),
    "How many engineers at Norrby are there?": (
        "2 people with role 'engineer' with site 'Norrby'."
    ),
    "Which filling machines are at Norrby?": (
        "2 machines with type 'filling machine' with site 'Norrby': M-1, M-2."
    ),
    "How many shipped orders does the plant have?": (
        "2 orders with status 'shipped' (not understood: 'plant')."
    ),
}
FIRST = {
    "Was Alto installed before Bora?": "Yes: ",
    "Was Ada Pell hired after Dan Firth?": "No: ",
    "Is Bora older than Cirro?": "No: ",
    "Is Duna newer than Alto?": "Yes: ",
    "Which was installed first, Duna or Alto?": "The installed of machine Alto",
    "Was the Norrby hall founded before the Ostby hall?": "Yes: ",
    "Was the Norrby hall founded after the Ostby hall?": "No: ",
    "Which hall was founded first, the Norrby hall or the Ostby hall?": (
        "The Norrby hall was founded in 1931, which is earlier"
    ),
    "Is Ada Pell older than Ben Oduya?": "Yes: the age of person Ada Pell",
    "Is Ada Pell younger than Ben Oduya?": "No: the age of person Ben Oduya",
    "Was the gate hall rebuilt before the tower?": "Their values overlap",
    "Who has the greater age, Ada Pell or Ben Oduya?": "The age of person Ada Pell",
}
AMOUNTS = {
    "Is shipping free for an order of 900 euro?": (
        "Yes: 900 euro is above 500 euro – “Shipping is free for orders above 500 euro.”"
    ),
    "Is shipping free for an order of 300 euro?": (
        "No, not by this rule: 300 euro is not above 500 euro – "
        "“Shipping is free for orders above 500 euro.”"
    ),
    "Is shipping free for an order of 500 euro?": (
        "No, not by this rule: 500 euro is not above 500 euro – "
        "“Shipping is free for orders above 500 euro.”"
    ),
    "Are refunds paid for an order of 10 euro?": (
        "No: 10 euro is under 20 euro – “Refunds are not paid for orders under 20 euro.”"
    ),
    "Are refunds paid for an order of 70 euro?": (
        "70 euro is not under 20 euro – “Refunds are not paid for orders under 20 euro.”"
    ),
    "Can goods be returned after 2 weeks?": (
        "Yes: 2 weeks is within 30 days – “Goods can be returned within 30 days.”"
    ),
    "Are samples free above 80 euro?": (
        "80 euro is above 50 euro – “Samples are free for members above 50 euro.”"
    ),
    "Can a parcel of 3000 g be collected?": (
        "Yes: 3000 g is no more than 5 kg – "
        "“Parcels of no more than 5 kg can be collected.”"
    ),
}
TIMES = {
    "Which orders were placed in March?": (
        "3 orders with placed in March: P-11 (late payment), P-12, P-15."
    ),
    "Which orders were placed in March 2025?": (
        "2 orders with placed in March 2025: P-11 (late payment), P-15."
    ),
    "How many orders were placed in 2025?": "4 orders with placed in 2025.",
    "How many orders were placed in July?": "0 orders with placed in July.",
    "Which orders are from June?": (
        "1 order with placed from June: P-13 (the buyer changed plans)."
    ),
    "Which machines were installed since 2016?": (
        "2 machines with installed since 2016: M-2, M-4."
    ),
    "How many people were hired before 2015?": "1 person with hired before 2015.",
    "How many cancelled orders were placed after June 2025?": (
        "1 order with status 'cancelled' with placed after June 2025."
    ),
}
LISTS = {
    "Who are the engineers?": (
        "3 people with role 'engineer': E1 (Ada Pell), E2 (Ben Oduya), E3 (Cleo Marsh)."
    ),
    "Which machines are at Norrby and which are at Ostby?": (
        "3 machines with site 'Norrby': M-1, M-2, M-3.\n"
        "1 machine with site 'Ostby': M-4."
    ),
}
WHY = {
    "Why was P-13 cancelled?": (
        "The reason of order P-13 (the buyer changed plans) is the buyer changed plans."
    ),
    "Why was the June audit postponed?": (
        "The June audit was postponed because the auditor was ill."
    ),
}


@pytest.mark.parametrize(
    ("question", "expected"),
    [*COUNTS.items(), *AMOUNTS.items(), *TIMES.items(), *LISTS.items(), *WHY.items()],
)
def test_it_is_answered_word_for_word(
    plant: Workspace, question: str, expected: str
) -> None:
    answer = plant.ask(question)
    assert answer.text == expected
    assert all(item.support == "supported" for item in answer.sentences)


@pytest.mark.parametrize(("question", "expected"), FIRST.items())
def test_dates_are_put_in_order(plant: Workspace, question: str, expected: str) -> None:
    answer = plant.ask(question)
    assert answer.text.startswith(expected), answer.text
    (sentence,) = answer.sentences
    assert len(sentence.evidence) == 2


REFUSED = {
    "How many steel machines are at Norrby?": "steel",
    "How many rusty machines are there?": "rusty",
    "Which orders from Norrby were shredded?": "shredded",
    "How many machines over 50 are there?": "",
    "Which orders were cancelled in June?": "",
    "Is shipping free for an order of 900 dollars?": "dollars",
    "Is insurance free for an order of 900 euro?": "insurance",
    "Was Alto painted before Bora?": "",
    "Is P-11 older than P-12?": "",
    "How many orders over 100 are shipped?": "",
    "How many badges does an engineer carry?": "",
    "How many pending or shipped orders are there?": "",
    "Why was the auditor ill?": "",
    "What is the weight of Alto?": "Machine M-1 is on record, but nothing there is called “weight”.",
    "What is the power of P-11?": "nothing there is called “power”",
    "What is the reason of P-14?": "Order P-14 is on record, but nothing there is called “reason”.",
    "What is the removal date of Alto?": "nothing there is called “removal”",
    "What is the total of Cirro?": "",
    "Why was P-14 cancelled?": "No reason is on record why order P-14 is cancelled.",
    "Why was P-11 cancelled?": "No reason is on record",
    "Why is P-15 pending?": "No reason is on record",
    "Why was the July audit postponed?": "",
}


@pytest.mark.parametrize(("question", "said"), REFUSED.items())
def test_it_abstains_and_says_what_is_lacking(
    plant: Workspace, question: str, said: str
) -> None:
    answer = plant.ask(question)
    assert answer.abstained, answer.text
    assert said in answer.text


def test_a_side_without_a_date_leaves_the_comparison_open(plant: Workspace) -> None:
    answer = plant.ask("Was the Norrby hall founded before the Westby hall?")
    assert not answer.text.startswith(("Yes", "No:"))
    assert answer.reason


PAIRS = (
    ("What is the status of P-11", "the total of P-12"),
    ("What is the power of Alto", "how many engineers are there"),
    ("When was the Norrby hall founded", "what is the total of P-12"),
    ("How many shipped orders are there", "how many engineers"),
    ("What is the power of Alto", "the age of Ben Oduya"),
)


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_the_order_of_two_parts_does_not_matter(
    plant: Workspace, one: str, other: str
) -> None:
    lead = "What is " if other.startswith("the ") else ""
    turned = one.removeprefix(lead) if lead else f"{one[0].lower()}{one[1:]}"
    first = plant.ask(f"{one} and {other}?")
    start = f"{lead}{other}"
    second = plant.ask(f"{start[0].upper()}{start[1:]} and {turned}?")
    assert len(texts(first)) == 2
    assert set(texts(first)) == set(texts(second))
    assert all(item.support == "supported" for item in first.sentences)


def test_what_is_asked_of_both_at_once_is_not_cut(plant: Workspace) -> None:
    answer = plant.ask("What is the sum of the total of P-11 and the total of P-12?")
    assert "1020" in answer.text


def test_a_listed_record_is_cited_once(plant: Workspace) -> None:
    for question in (
        "Which orders were placed in March?",
        "Which orders cost over 100?",
    ):
        answer = plant.ask(question)
        for sentence in answer.sentences:
            named = [item.statement.partition(":")[0] for item in sentence.evidence]
            assert len(named) == len(set(named)), named


def texts(answer: Answer) -> list[str]:
    return [item.text for item in answer.sentences]
