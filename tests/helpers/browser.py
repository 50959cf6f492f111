"""A real browser for tests: Chromium without a window, driven over its DevTools protocol; or why there is none."""

import asyncio
import json
import os
import shutil
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
import pytest

from tests.helpers.children import mortal
from tests.helpers.program import LONGEST

NAMES = "chromium", "chromium-browser", "google-chrome"
OPTIONS = (
    *("--headless", "--remote-debugging-port=0", "--disable-gpu", "--no-first-run", "--disable-extensions"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"),
)
KEYS = {"Tab": 9, "Enter": 13}
PHONE = {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}


class Tab:
    """A page of the browser. `requests` and `faults` are what it has asked for, and what it complained about."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.requests: list[str] = []
        self.faults: list[str] = []
        self._socket, self._numbers = socket, count()

    async def call(self, method: str, **parameters: Any) -> Any:
        """Call a method of the DevTools protocol and return its result."""
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        async with asyncio.timeout(LONGEST):
            while True:
                answer = await self._socket.receive_json()
                if answer.get("id") == number:
                    assert "error" not in answer, (method, answer)
                    return answer["result"]
                self._notice(answer)

    def _notice(self, event: dict[str, Any]) -> None:
        if event["method"] == "Network.requestWillBeSent":
            self.requests.append(event["params"]["request"]["url"])
        elif event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded"):
            self.faults.append(json.dumps(event["params"]))

    async def open(self, address: str) -> None:
        """Show what is at an address, on a phone."""
        for domain in ("Network", "Runtime", "Log", "Page", "DOM"):
            await self.call(f"{domain}.enable")
        await self.call("Emulation.setDeviceMetricsOverride", **PHONE)
        await self.call("Page.navigate", url=address)
        await self.until("document.readyState === 'complete'")

    async def run(self, code: str) -> Any:
        """Run JavaScript in the page, and return its value once it is there."""
        done = await self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    async def until(self, code: str) -> None:
        """Wait until JavaScript says that something is true."""
        end = time.monotonic() + LONGEST
        while not await self.run(code):
            assert time.monotonic() < end, f"that did not become true within {LONGEST:.0f} s: {code}"
            await asyncio.sleep(0.02)

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            text = {"text": "\r"} if key == "Enter" else {}
            code = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS[key]}
            await self.call("Input.dispatchKeyEvent", type="keyDown", **code, **text)
            await self.call("Input.dispatchKeyEvent", type="keyUp", **code)

    async def choose_file(self, element: str, file: Path) -> None:
        """Choose a file in the input with this id."""
        root = (await self.call("DOM.getDocument"))["root"]["nodeId"]
        node = (await self.call("DOM.querySelector", nodeId=root, selector=f"#{element}"))["nodeId"]
        await self.call("DOM.setFileInputFiles", nodeId=node, files=[str(file)])

    async def drop(self, file: Path) -> None:
        """Drop a file on the page."""
        data = {"items": [], "files": [str(file)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            await self.call("Input.dispatchDragEvent", type=kind, x=100, y=300, data=data)


@contextmanager
def browser() -> Iterator[str]:
    """Run a browser and yield its address; skip the test if there is none."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if not program:
        pytest.skip("Chromium is not installed")
    with TemporaryDirectory(prefix="sandtable-", ignore_cleanup_errors=True) as folder:
        sandbox = ["--no-sandbox"] if os.getuid() == 0 else []
        command = mortal([program, *OPTIONS, *sandbox, f"--user-data-dir={folder}", "about:blank"])
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                yield f"http://127.0.0.1:{_port(Path(folder, 'DevToolsActivePort'), process)}"
            finally:
                process.kill()


def _port(file: Path, process: subprocess.Popen[bytes]) -> str:
    """Return the port on which a new browser listens, which it writes into this file."""
    end = time.monotonic() + LONGEST
    while not (file.exists() and (lines := file.read_text().splitlines())):
        assert process.poll() is None, "Chromium has ended"
        assert time.monotonic() < end, f"Chromium did not start within {LONGEST:.0f} s"
        time.sleep(0.02)
    return lines[0]


@asynccontextmanager
async def new_tab(address: str) -> AsyncIterator[Tab]:
    """Open a page in the browser at this address."""
    async with aiohttp.ClientSession() as session:
        async with session.put(f"{address}/json/new?about:blank") as answer:
            target = await answer.json()
        async with session.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0) as socket:
            yield Tab(socket)
        async with session.get(f"{address}/json/close/{target['id']}") as answer:
            await answer.read()
