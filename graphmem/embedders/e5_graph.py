"""The graph of multilingual-e5-small as ONNX: int8 products, 4-bit embeddings, pooled and token outputs in one run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

WIDTH, LAYERS, HEADS, POSITIONS = 384, 12, 12, 512
BLOCK = 32
EPSILON = 1e-12
SMOOTHING = 0.65
"""How much of a channel's range goes into the weights; .5, .65 and .8 leave 3.1, 1.1 and 1.3 ‰ of cosine to the exact model."""
WIDE = tuple(f"l{number}.{name}" for number in range(LAYERS) for name in ("middle", "gelu"))
"""Tensors with a few channels far wider than the rest: the inputs of the feed-forward products."""
_MICROSOFT = "com.microsoft"

Array = NDArray[Any]


def nibbles(blocks: Array) -> tuple[Array, Array]:
    """Q4_0 blocks (rows, blocks of 18 bytes) as scales (rows, blocks) and weights 0–15 (rows, blocks, 32); the value is scale · (weight - 8)."""
    packed = blocks["weights"]
    return blocks["scale"].astype(np.float32), np.concatenate([packed & 15, packed >> 4], axis=-1)


def dense(blocks: Array) -> Array:
    scales, weights = nibbles(blocks)
    return ((weights.astype(np.float32) - 8) * scales[..., None]).reshape(len(blocks), -1)


@dataclass
class GraphWriter:
    """Collects nodes and constants; tensors are named after what they are."""

    tensors: Mapping[str, Array]
    ranges: Mapping[str, Array] = field(default_factory=dict)
    nodes: list[Any] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)

    def constant(self, name: str, value: Array) -> str:
        from onnx import numpy_helper  # noqa: PLC0415 — needed once, when the graph is built

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(self, operator: str, inputs: Sequence[str], output: str | Sequence[str], domain: str = "", **attributes: Any) -> str:
        from onnx import helper  # noqa: PLC0415

        outputs = [output] if isinstance(output, str) else list(output)
        self.nodes.append(helper.make_node(operator, list(inputs), outputs, name=outputs[0], domain=domain, **attributes))
        return outputs[0]

    def linear(self, source: str, parts: Sequence[str], output: str) -> str:
        """Add x · W + b with W as int8 of one scale per output, the input quantised as it comes; several layers side by side are one product."""
        weights = np.concatenate([dense(self.tensors[f"{part}.w"]) for part in parts]).T
        bias = np.concatenate([self.tensors[f"{part}.b"] for part in parts])
        if source in self.ranges:
            source, weights = self.smoothed(source, weights, output)
        scales = (np.abs(weights).max(axis=0) / 127).astype(np.float32)
        inputs = [
            source,
            self.constant(f"{output}.weights", np.rint(weights / scales).astype(np.int8)),
            self.constant(f"{output}.scales", scales),
            self.constant(f"{output}.zeros", np.zeros(len(scales), np.int8)),
            self.constant(f"{output}.bias", bias),
        ]
        return self.node("DynamicQuantizeMatMul", inputs, output, _MICROSOFT)

    def smoothed(self, source: str, weights: Array, output: str) -> tuple[str, Array]:
        """Move what a few wide channels of the input carry into the weights, so that 8 bits suffice (SmoothQuant; Xiao et al. 2023)."""
        scales = self.ranges[source] ** SMOOTHING / np.abs(weights).max(axis=1) ** (1 - SMOOTHING)
        scales = (scales / np.exp(np.log(scales).mean())).astype(np.float32)
        divisor = self.constant(f"{output}.smoothing", 1 / scales)
        return self.node("Mul", [source, divisor], f"{output}.smoothed"), weights * scales[:, None]

    def normal(self, source: str, part: str, output: str) -> str:
        scale, shift = self.constant(f"{part}.w", self.tensors[f"{part}.w"]), self.constant(f"{part}.b", self.tensors[f"{part}.b"])
        return self.node("LayerNormalization", [source, scale, shift], output, epsilon=EPSILON, axis=-1)


def _embeddings(graph: GraphWriter) -> str:
    scales, weights = nibbles(graph.tensors["emb.word"])
    packed = (weights[..., 0::2] | (weights[..., 1::2] << 4)).astype(np.uint8).reshape(len(weights), -1)
    inputs = [graph.constant("word.weights", packed), "input_ids", graph.constant("word.scales", scales)]
    words = graph.node("GatherBlockQuantized", inputs, "word", _MICROSOFT, bits=4, block_size=BLOCK, gather_axis=0, quantize_axis=1)
    types = graph.tensors["emb.type"].reshape(-1, WIDTH)[0]
    positions = graph.constant("positions", graph.tensors["emb.pos"].reshape(POSITIONS, WIDTH) + types)
    length = graph.node("Shape", ["input_ids"], "length", start=1, end=2)
    zero = graph.constant("zero", np.array([0], np.int64))
    position = graph.node("Slice", [positions, zero, length, zero], "position")
    return graph.normal(graph.node("Add", [words, position], "embedded"), "emb.ln", "x0")


def _layer(graph: GraphWriter, number: int, source: str, output: str) -> None:
    """Attention and feed-forward, each added to its input and normalised after (BERT; Devlin et al. 2019)."""
    at = f"l{number}"
    joined = graph.linear(source, [f"{at}.q", f"{at}.k", f"{at}.v"], f"{at}.joined")
    parts = [f"{at}.query", f"{at}.key", f"{at}.value"]
    graph.node("Split", [joined, "widths"], parts, axis=-1)
    graph.node("MultiHeadAttention", [*parts, "", "mask"], f"{at}.attended", _MICROSOFT, num_heads=HEADS)
    attended = graph.linear(f"{at}.attended", [f"{at}.ao"], f"{at}.projected")
    middle = graph.normal(graph.node("Add", [attended, source], f"{at}.sum1"), f"{at}.aln", f"{at}.middle")
    inner = graph.node("Gelu", [graph.linear(middle, [f"{at}.fi"], f"{at}.inner")], f"{at}.gelu", _MICROSOFT)
    outer = graph.linear(inner, [f"{at}.fo"], f"{at}.outer")
    graph.normal(graph.node("Add", [outer, middle], f"{at}.sum2"), f"{at}.oln", output)


def _pooling(graph: GraphWriter) -> None:
    """Sum over the text's tokens, then unit length (which makes the mean's division unnecessary)."""
    from onnx import TensorProto  # noqa: PLC0415

    row = graph.constant("row", np.array([1], np.int64))
    weights = graph.node("Unsqueeze", [graph.node("Cast", ["attention_mask"], "weights", to=TensorProto.FLOAT), row], "weights_row")
    total = graph.node("Squeeze", [graph.node("MatMul", [weights, "tokens"], "total_row"), row], "total")
    graph.node("LpNormalization", [total], "pooled", axis=-1, p=2)


def build_graph(tensors: Mapping[str, Array], ranges: Mapping[str, Array], step: Callable[[], None]) -> bytes:
    """Serialise the model: input_ids, attention_mask (batch, length) → pooled (batch, 384), tokens (batch, length, 384).

    `ranges` holds the greatest magnitude per channel of each WIDE tensor; without them the model also gives those tensors, to measure them.
    """
    from onnx import TensorProto, helper  # noqa: PLC0415

    graph = GraphWriter(tensors, ranges)
    graph.constant("widths", np.full(3, WIDTH, np.int64))
    source = _embeddings(graph)
    graph.node("Cast", ["attention_mask"], "mask", to=TensorProto.INT32)
    step()
    for number in range(LAYERS):
        output = "tokens" if number == LAYERS - 1 else f"x{number + 1}"
        _layer(graph, number, source, output)
        source = output
        step()
    _pooling(graph)
    given = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in ("input_ids", "attention_mask")]
    shapes = {"pooled": ["batch", WIDTH], "tokens": ["batch", "length", WIDTH]}
    made = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in shapes.items()]
    if not ranges:
        made += [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in WIDE]
    body = helper.make_graph(graph.nodes, "e5", given, made, graph.constants)
    versions = [helper.make_opsetid("", 17), helper.make_opsetid(_MICROSOFT, 1)]
    return bytes(helper.make_model(body, opset_imports=versions, ir_version=8).SerializeToString())
