"""What the scripted server replies to `/responses`, the other form of OpenAI's protocol."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Body = dict[str, Any]
PIECE = 7  # characters of a piece of a streamed reply


def whole(text: str, body: Body, number: int, *, calls_tools: bool) -> Body:
    """Return a reply: words, or the call of the tool that the request offers."""
    said: Body = {"type": "output_text", "text": text, "annotations": []}
    output: Body = {"id": f"msg-{number}", "type": "message", "role": "assistant"}
    output |= {"status": "completed", "content": [said]}
    if calls_tools and body.get("tools"):
        output = {"id": f"fc-{number}", "type": "function_call", "arguments": text}
        output |= {"call_id": f"call-{number}", "name": body["tools"][0]["name"]}
    read, written = len(json.dumps(body.get("input", ""))) // 4, len(text) // 4
    return {
        "id": f"resp-{number}",
        "object": "response",
        "created_at": 0,
        "model": body.get("model", ""),
        "status": "completed",
        "output": [output],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": read,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": written,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": read + written,
        },
    }


def streamed(text: str, reply: Body) -> bytes:
    """Return the events of a streamed reply, as they are sent."""
    told = [
        {"type": "response.created", "response": {**reply, "output": []}},
        *_deltas(text, reply["output"][0]["id"]),
        {"type": "response.completed", "response": reply},
    ]
    lines = [
        f"event: {event['type']}\ndata: {json.dumps({**event, 'sequence_number': at})}"
        for at, event in enumerate(told)
    ]
    return "".join(f"{line}\n\n" for line in lines).encode()


def _deltas(text: str, item: str) -> Iterator[Body]:
    head = {"type": "response.output_text.delta", "item_id": item, "logprobs": []}
    for at in range(0, len(text), PIECE):
        place = {"output_index": 0, "content_index": 0}
        yield {**head, **place, "delta": text[at : at + PIECE]}
