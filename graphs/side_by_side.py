"""Asks a model about item after item, so many at once, until they are done or something says to stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice
from typing import TypeVar

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


def side_by_side(
    items: Iterator[ItemT],
    work: Callable[[ItemT], ResultT],
    note: Callable[[Future[ResultT]], str],
    *,
    places: int,
    until: float | None,
) -> str:
    """Why it ended early, empty where all is done. What is under way when it stops is still waited for and noted.

    Args:
        items: taken one by one, when there is a place.
        work: what is done with each, in a thread.
        note: counts one result; why nothing further should be begun, empty where it can.
        places: how many at once.
        until: on the monotonic clock, after which nothing is begun; None: no such time.
    """
    stopped = ""
    running: set[Future[ResultT]] = set()
    with ThreadPoolExecutor(places, thread_name_prefix="side-by-side") as pool:
        while True:
            if until is not None and time.monotonic() >= until:
                stopped = stopped or "the time is used up"
            if not stopped:
                running |= {pool.submit(work, item) for item in islice(items, places - len(running))}
            if not running:
                return stopped
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                stopped = note(future) or stopped
