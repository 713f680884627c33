"""The sample world's tools read and change the shop's own file, and nothing else."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from aitia.resources import folder
from aitia.settings import Settings
from aitia.tools import ToolFailed
from aitia.tools.consent import Consents
from aitia.tools.toolbox import Toolbox
from tests.tool_desk import desk

TOOLS = str(folder("data") / "tools" / "shop_tools.py")
CHANGES = {"cancel_pending_order", "exchange_items", "return_items"}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Toolbox]:
    monkeypatch.setenv("QUILLMOOR_DB", str(tmp_path / "shop.sqlite"))
    with Toolbox.load(Settings(), [TOOLS]) as toolbox:
        yield toolbox


def call(shop: Toolbox, called: str, /, **arguments: Any) -> Any:
    assert shop.tools[called].problems(arguments) == ()
    return shop.call(shop.tools[called], arguments)


def test_only_what_changes_the_shop_needs_consent(shop: Toolbox) -> None:
    assert {name for name, item in shop.tools.items() if item.side_effect} == CHANGES
    assert len(shop.tools) == 6


def test_customers_orders_and_products_are_those_of_the_world(shop: Toolbox) -> None:
    (user,) = call(shop, "find_user", name="greta")
    assert user["email"] == "greta.immerwald@example.com"
    assert {"Q-1006", "Q-1008", "Q-1015"} <= set(user["orders"])
    assert len(call(shop, "find_user", name="Immerwald")) == 2
    assert call(shop, "find_user", email="GRETA.Immerwald@example.com") == [user]
    assert call(shop, "find_user", name="nobody") == []
    order = call(shop, "order_details", order_id="Q-1001")
    assert (order["status"], order["total"]) == ("delivered", 271.0)
    assert [item["sku"] for item in order["items"]] == ["P-301-1", "P-304-1", "P-202-1"]
    radio = call(shop, "product_details", product_id="P-304")
    assert {item["option"] for item in radio["variants"]} == {"oak", "black"}


def test_a_pending_order_is_cancelled_once_and_its_goods_go_back(shop: Toolbox) -> None:
    def stock(sku: str) -> int:
        found = call(shop, "product_details", product_id=sku[:5])["variants"]
        return next(int(item["stock"]) for item in found if item["sku"] == sku)

    before = stock("P-102-2")
    arguments = {"order_id": "Q-1030", "reason": "no longer needed"}
    assert call(shop, "cancel_pending_order", **arguments)["status"] == "cancelled"
    assert stock("P-102-2") == before + 1
    with pytest.raises(ToolFailed, match="Q-1030 is cancelled, not pending"):
        call(shop, "cancel_pending_order", **arguments)
    assert shop.tools["cancel_pending_order"].problems({"order_id": "Q-1030"})


def test_items_are_exchanged_for_variants_that_are_in_stock(shop: Toolbox) -> None:
    done = call(
        shop,
        "exchange_items",
        order_id="Q-1001",
        skus=["P-304-1"],
        new_skus=["P-304-2"],
    )
    assert done["difference_to_pay"] == -6.0
    assert [item["state"] for item in done["items"]] == ["kept", "exchanged", "kept"]
    for skus, new, said in (
        (["P-304-1"], ["P-304-2"], "is exchanged"),
        (["P-301-1"], ["P-304-2"], "no other variant"),
        (["P-202-1"], [], "exactly one variant"),
        (["P-999-1"], ["P-304-2"], "no item P-999-1"),
    ):
        with pytest.raises(ToolFailed, match=said):
            call(shop, "exchange_items", order_id="Q-1001", skus=skus, new_skus=new)


def test_an_exchange_that_fails_half_way_changes_nothing(shop: Toolbox) -> None:
    before = call(shop, "order_details", order_id="Q-1001")
    with pytest.raises(ToolFailed):
        call(
            shop,
            "exchange_items",
            order_id="Q-1001",
            skus=["P-304-1", "P-301-1"],
            new_skus=["P-304-2", "P-304-2"],
        )
    assert call(shop, "order_details", order_id="Q-1001") == before


def test_items_are_taken_back_until_none_is_left(shop: Toolbox) -> None:
    first = call(shop, "return_items", order_id="Q-1001", skus=["P-301-1"])
    assert (first["refund_of_goods"], first["status"]) == (54.0, "delivered")
    rest = call(shop, "return_items", order_id="Q-1001", skus=["P-304-1", "P-202-1"])
    assert rest["status"] == "returned"
    with pytest.raises(ToolFailed, match="not delivered"):
        call(shop, "return_items", order_id="Q-1030", skus=["P-102-2"])
    with pytest.raises(ToolFailed, match="There is no order Q-9"):
        call(shop, "order_details", order_id="Q-9")


def test_a_change_needs_consent_and_is_on_record(tmp_path: Path, shop: Toolbox) -> None:
    arguments = {"order_id": "Q-1033", "reason": "ordered by mistake"}
    with desk(tmp_path, shop) as at_desk:
        assert at_desk.call("cancel_pending_order", arguments).error
        assert call(shop, "order_details", order_id="Q-1033")["status"] == "pending"
        allowed = Consents(["cancel_pending_order"])
        done = at_desk.call("cancel_pending_order", arguments, allowed)
        assert done.value["status"] == "cancelled"
