"""`StoreContract`: the suite that every store passes."""

from __future__ import annotations

from graphmem.testing.contract_filters import FilterContract
from graphmem.testing.contract_graph import GraphContract
from graphmem.testing.contract_reading import ReadingContract
from graphmem.testing.contract_scopes import ErasureContract, ScopeContract
from graphmem.testing.contract_writing import WritingContract


class StoreContract(WritingContract, ReadingContract, FilterContract, GraphContract, ScopeContract, ErasureContract):
    """Subclass it as `Test…` with a pytest fixture `open_store`.

    The fixture gives a function that makes a store which is not open yet; every call within one test makes another handle on the same data,
    which is empty when the test begins. The tests need pytest and nothing else.
    """
