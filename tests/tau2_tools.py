"""The tools of the retail desk of tau2-bench, over a copy of its database.

Each function does what the desk's policy says of it and refuses what the policy
forbids. Nothing of the benchmark's own code is in here.
"""

import ast
import copy
import operator
from collections.abc import Callable
from typing import Any, Literal

from aitia.tools import tool

Record = dict[str, Any]
_SIGNS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class Refused(Exception):
    """The desk does not do that; the message says why."""


class Desk:
    """The shop's records, as the tools read and change them.

    What is changed is a copy; `reopen` forgets the changes.
    """

    def __init__(self, database: dict[str, dict[str, Record]]) -> None:
        self.users = database["users"]
        self.orders = database["orders"]
        self.products = database["products"]
        self.changed: dict[str, Record] = {}

    def reopen(self) -> None:
        """Forget every change."""
        self.changed = {}

    def _mine(self, records: dict[str, Record], key: str) -> Record:
        if key not in self.changed:
            self.changed[key] = copy.deepcopy(records[key])
        return self.changed[key]

    def user(self, user_id: str) -> Record:
        if user_id not in self.users:
            raise Refused("User not found.")
        return self._mine(self.users, user_id)

    def order(self, order_id: str, status: str = "") -> Record:
        if order_id not in self.orders:
            raise Refused("Order not found.")
        found = self._mine(self.orders, order_id)
        if status and found["status"] != status:
            raise Refused(f"The order is {found['status']}, not {status}.")
        return found

    def product(self, product_id: str) -> Record:
        if product_id not in self.products:
            raise Refused("Product not found.")
        return self.products[product_id]

    def method(self, order: Record, payment_method_id: str) -> Record:
        methods = self.user(order["user_id"])["payment_methods"]
        if payment_method_id not in methods:
            raise Refused("Payment method not found.")
        found: Record = methods[payment_method_id]
        return found

    def chosen(self, order: Record, item_ids: list[str]) -> list[Record]:
        """The items of an order that are meant; each id as often as it is named."""
        left = list(order["items"])
        found = []
        for item_id in item_ids:
            item = next((x for x in left if x["item_id"] == item_id), None)
            if item is None:
                raise Refused(f"The order has no item {item_id}.")
            left.remove(item)
            found.append(item)
        return found

    def swapped(self, old: list[Record], new_item_ids: list[str]) -> float:
        """What replacing items by others of the same products costs more."""
        if len(old) != len(new_item_ids):
            raise Refused("There are not as many new items as old ones.")
        more = 0.0
        for item, new in zip(old, new_item_ids, strict=True):
            variant = self.product(item["product_id"])["variants"].get(new)
            if variant is None or not variant["available"]:
                raise Refused(f"The item {new} is not to be had.")
            more += variant["price"] - item["price"]
        return round(more, 2)

    def pay(self, method: Record, amount: float) -> Record:
        """Take money from a payment method, or give it back."""
        if method["source"] == "gift_card":
            if method["balance"] < amount:
                raise Refused("The gift card does not hold enough.")
            method["balance"] = round(method["balance"] - amount, 2)
        kind = "payment" if amount >= 0 else "refund"
        return {
            "transaction_type": kind,
            "amount": abs(amount),
            "payment_method_id": method["id"],
        }


def reading(desk: Desk) -> list[Callable[..., Any]]:
    """The tools that only look."""

    @tool
    def find_user_id_by_email(email: str) -> str:
        """Find the id of a user by email."""
        for user_id, user in desk.users.items():
            if user["email"].lower() == email.lower():
                return user_id
        raise Refused("User not found.")

    @tool
    def find_user_id_by_name_zip(first_name: str, last_name: str, zip: str) -> str:
        """Find the id of a user by first name, last name and zip code."""
        wanted = (first_name.lower(), last_name.lower(), zip)
        for user_id, user in desk.users.items():
            name = user["name"]
            there = (name["first_name"].lower(), name["last_name"].lower())
            if (*there, user["address"]["zip"]) == wanted:
                return user_id
        raise Refused("User not found.")

    @tool
    def get_user_details(user_id: str) -> Record:
        """Look up a user: address, email, payment methods and orders."""
        return desk.user(user_id)

    @tool
    def get_order_details(order_id: str) -> Record:
        """Look up an order: status, items, address and payments."""
        return desk.order(order_id)

    @tool
    def get_product_details(product_id: str) -> Record:
        """Look up a product with its variants."""
        return desk.product(product_id)

    @tool
    def get_item_details(item_id: str) -> Record:
        """Look up one variant of a product."""
        for product in desk.products.values():
            if item_id in product["variants"]:
                found: Record = product["variants"][item_id]
                return found
        raise Refused("Item not found.")

    @tool
    def calculate(expression: str) -> str:
        """Work out an expression of numbers, + - * / and parentheses."""
        return str(round(_value(ast.parse(expression, mode="eval").body), 2))

    @tool
    def transfer_to_human_agents(summary: str) -> str:
        """Hand the user over to a person, with a summary of the matter."""
        return "Transfer successful"

    return [
        find_user_id_by_email,
        find_user_id_by_name_zip,
        get_user_details,
        get_order_details,
        get_product_details,
        get_item_details,
        calculate,
        transfer_to_human_agents,
    ]


def _value(node: ast.AST) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in _SIGNS:
        result: float = _SIGNS[type(node.op)](_value(node.left), _value(node.right))
        return result
    raise Refused("That is no expression of numbers.")


def changing_addresses(desk: Desk) -> list[Callable[..., Any]]:
    """The tools that change where things go, and how they are paid."""

    @tool(side_effect=True)
    def modify_user_address(
        user_id: str,
        address1: str,
        address2: str,
        city: str,
        state: str,
        country: str,
        zip: str,
    ) -> Record:
        """Change the default address of a user."""
        user = desk.user(user_id)
        user["address"] = _address(address1, address2, city, state, country, zip)
        return user

    @tool(side_effect=True)
    def modify_pending_order_address(
        order_id: str,
        address1: str,
        address2: str,
        city: str,
        state: str,
        country: str,
        zip: str,
    ) -> Record:
        """Change the address of a pending order."""
        order = desk.order(order_id)
        if not order["status"].startswith("pending"):
            raise Refused("The order is not pending.")
        order["address"] = _address(address1, address2, city, state, country, zip)
        return order

    @tool(side_effect=True)
    def modify_pending_order_payment(order_id: str, payment_method_id: str) -> Record:
        """Change the payment method of a pending order."""
        order = desk.order(order_id, "pending")
        paid = order["payment_history"][0]
        if paid["payment_method_id"] == payment_method_id:
            raise Refused("The new payment method is the old one.")
        new = desk.method(order, payment_method_id)
        old = desk.method(order, paid["payment_method_id"])
        order["payment_history"] += [
            desk.pay(new, paid["amount"]),
            desk.pay(old, -paid["amount"]),
        ]
        return order

    return [
        modify_user_address,
        modify_pending_order_address,
        modify_pending_order_payment,
    ]


def _address(*parts: str) -> Record:
    names = ("address1", "address2", "city", "state", "country", "zip")
    return dict(zip(names, parts, strict=True))


def changing_orders(desk: Desk) -> list[Callable[..., Any]]:
    """The tools that cancel, change, exchange and take back."""

    @tool(side_effect=True)
    def cancel_pending_order(
        order_id: str, reason: Literal["no longer needed", "ordered by mistake"]
    ) -> Record:
        """Cancel a pending order and pay it back."""
        order = desk.order(order_id, "pending")
        for paid in list(order["payment_history"]):
            method = desk.method(order, paid["payment_method_id"])
            order["payment_history"].append(desk.pay(method, -paid["amount"]))
        order["status"], order["cancel_reason"] = "cancelled", reason
        return order

    @tool(side_effect=True)
    def modify_pending_order_items(
        order_id: str,
        item_ids: list[str],
        new_item_ids: list[str],
        payment_method_id: str,
    ) -> Record:
        """Replace items of a pending order by others of the same products, once."""
        order = desk.order(order_id, "pending")
        old = desk.chosen(order, item_ids)
        more = desk.swapped(old, new_item_ids)
        method = desk.method(order, payment_method_id)
        order["payment_history"].append(desk.pay(method, more))
        for item, new in zip(old, new_item_ids, strict=True):
            variant = desk.product(item["product_id"])["variants"][new]
            item |= {name: variant[name] for name in ("item_id", "price", "options")}
        order["status"] = "pending (item modified)"
        return order

    @tool(side_effect=True)
    def exchange_delivered_order_items(
        order_id: str,
        item_ids: list[str],
        new_item_ids: list[str],
        payment_method_id: str,
    ) -> Record:
        """Ask for an exchange of delivered items for others of the same products."""
        order = desk.order(order_id, "delivered")
        more = desk.swapped(desk.chosen(order, item_ids), new_item_ids)
        method = desk.method(order, payment_method_id)
        if method["source"] == "gift_card" and method["balance"] < more:
            raise Refused("The gift card does not hold enough.")
        return _asked(
            order,
            status="exchange requested",
            exchange_items=sorted(item_ids),
            exchange_new_items=sorted(new_item_ids),
            exchange_payment_method_id=payment_method_id,
            exchange_price_difference=more,
        )

    @tool(side_effect=True)
    def return_delivered_order_items(
        order_id: str, item_ids: list[str], payment_method_id: str
    ) -> Record:
        """Ask for the return of delivered items, paid back to a payment method."""
        order = desk.order(order_id, "delivered")
        desk.chosen(order, item_ids)
        desk.method(order, payment_method_id)
        return _asked(
            order,
            status="return requested",
            return_items=sorted(item_ids),
            return_payment_method_id=payment_method_id,
        )

    return [
        cancel_pending_order,
        modify_pending_order_items,
        exchange_delivered_order_items,
        return_delivered_order_items,
    ]


def _asked(order: Record, **changed: Any) -> Record:
    order.update(changed)
    return order


def tools(desk: Desk) -> list[Callable[..., Any]]:
    """All tools of the desk."""
    return [*reading(desk), *changing_addresses(desk), *changing_orders(desk)]
