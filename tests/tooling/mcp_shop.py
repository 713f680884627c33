"""An MCP server for the tests: on standard input and output, or over HTTP."""

import os
import socket
import sys
import time

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel

READS = ToolAnnotations(read_only_hint=True)
server = MCPServer("shop")


class Order(BaseModel):
    order_id: str
    total: float


@server.tool(annotations=READS)
def order_details(order_id: str) -> Order:
    """Tell what an order holds."""
    return Order(order_id=order_id, total=12.5)


@server.tool(annotations=READS)
def shout(text: str) -> str:
    """Return a text in capitals."""
    return text.upper()


@server.tool()
def cancel(order_id: str) -> str:
    """Cancel an order."""
    return f"{order_id} cancelled"


@server.tool(annotations=READS)
def wait(seconds: float) -> str:
    """Wait."""
    time.sleep(seconds)
    return "done"


@server.tool(annotations=READS)
def complain() -> str:
    """Fail."""
    raise ToolError("no such order")


@server.tool(annotations=READS)
def leave() -> str:
    """End the server."""
    os._exit(3)


@server.tool(annotations=READS)
def long(size: int) -> str:
    """Return a long text."""
    return "y" * size


@server.tool(annotations=READS)
def variable(name: str) -> str:
    """Return a variable of the server's environment."""
    return os.environ.get(name, "")


def over_http() -> None:
    """Serve on a free port, which is printed first, to those who know the key."""
    import uvicorn
    from starlette.types import Receive, Scope, Send

    inner, key = server.streamable_http_app(), os.environ["SHOP_BEARER"].encode()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        given = dict(scope.get("headers", ())).get(b"authorization")
        if scope["type"] == "http" and given != b"Bearer " + key:
            await send({"type": "http.response.start", "status": 401, "headers": []})
            await send({"type": "http.response.body", "body": b"who are you?"})
            return
        await inner(scope, receive, send)

    listening = socket.create_server(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    config = uvicorn.Config(app, log_level="critical")
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    over_http() if "http" in sys.argv else server.run("stdio")
