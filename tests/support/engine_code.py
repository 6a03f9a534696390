"""Invented code of engines, in the shape of what it stands for."""

CACHE_CONFIG = """\
class CacheConfig:

    DEFAULT_BLOCK_SIZE: ClassVar[int] = 16

    size: int | None = None
"""
WATERMARK_FIELD = """\
    enable_chunking: bool = True

    watermark: float = Field(default=0.0, ge=0.0, lt=1.0)
    \"\"\"Part of the blocks that admission leaves free.
    Zero switches it off.\"\"\"

    policy: Policy = "fcfs"
"""
WATERMARK_GUARD = """\
        watermark = 0
        if has_scheduled_requests and request.status in (
            Status.WAITING,
            Status.PREEMPTED,
        ):
            watermark = self.watermark_blocks

        if needed + watermark > self.pool.count_free():
            return None
"""
WATERMARK_INIT = """\
        self.watermark_blocks = int(config.watermark * config.num_blocks)
"""
BUDGET_PROPERTIES = """\
    def _free_and_evictable(self) -> int:
        evictable = self.tree.full_size() if self.is_hybrid else self.tree.size()
        return self.allocator.free_size() + evictable

    @property
    def remaining_total(self) -> int:
        return self._free_and_evictable() - self.total_offset
"""
COUNTERS = """\
        self.retracted = Counter(
            name="sglang:retracted_requests",
            documentation="Requests sent back to the queue since the server started, which have to be recomputed.",
            labelnames=labels,
        )
"""
RATIO = """\
def default_ratio(args: Args) -> float:
    if args.ratio is not None:
        return args.ratio
    if args.buffer_only:
        return 1.2
    return 2.0
"""
