import heapq
from collections.abc import Iterable
from dataclasses import dataclass

# How blocks are handed out, and taken back.


@dataclass
class Block:
    block_id: int
    ref_count: int = 0


class BlockPool:
    """Blocks of memory."""

    def __init__(self, num_blocks: int) -> None:
        self.free_blocks = [Block(number) for number in range(num_blocks)]
        self.watermark = 0.0

    def take_block(self) -> Block:
        block = heapq.heappop(self.free_blocks)
        block.ref_count += 1
        return block

    def give_back_all(self, blocks: Iterable[Block]) -> None:
        for block in blocks:
            self.give_back(block)

    def give_back(self, block: Block) -> None:
        block.ref_count -= 1
        if block.ref_count == 0:
            self.free_blocks.append(block)

    @property
    def usage(self) -> float:
        total = max(1, self.total)
        return 1 - len(self.free_blocks) / total
