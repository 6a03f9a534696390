"""Two logs for the formats: one like a Tuesday's audit, one that tries to break out of every report.

The code in the excerpts is invented, in the shape of what it stands for.
"""

from auditor.model import (
    Acceptance,
    Anchor,
    AnchorState,
    BaselineState,
    Change,
    Citation,
    Claim,
    DiffLine,
    Excerpt,
    FoundCitation,
    Interval,
    Kind,
    Location,
    Log,
    Notification,
    Outcome,
    Region,
    Result,
    Revision,
    Rule,
    Run,
    Target,
    Text,
)
from tests.support import engine_code

VLLM = Target(
    "vllm",
    repository="https://github.com/vllm-project/vllm",
    commit="8b365ff949a1c2d3e4f5061728394a5b6c7d8e9f",
    date="2026-09-25",
    project="vllm",
    near_pin="0.31.0",
)
SGLANG = Target(
    "sglang",
    repository="https://github.com/sgl-project/sglang.git",
    commit="f4de6abee60b1c2d3e4f5061728394a5b6c7d8e9",
    date="2026-09-28",
    project="sglang",
    prefix="python/",
    near_pin="0.6.2",
)

CACHE = "vllm/config/cache.py"
SCHEDULER_CONFIG = "vllm/config/scheduler.py"
MANAGER = "vllm/v1/core/kv_cache_manager.py"
BUDGET = "python/sglang/srt/mem_cache/prefill_budget.py"
COLLECTOR = "python/sglang/srt/observability/metrics_collector.py"
HOOK = "python/sglang/srt/arg_groups/hicache_hook.py"


def at(path: str, start: int, end: int, symbol: str | None = None, note: Text | None = None) -> Location:
    return Location(path, Region(start, end), symbol, note)


def excerpt(path: str, start: int, code: str) -> Excerpt:
    return Excerpt(path, start, tuple(code.splitlines()))


def cited(
    path: str,
    start: int,
    end: int,
    state: AnchorState,
    found: Location | None = None,
    offset: int | None = None,
    anchor: Anchor | None = None,
) -> FoundCitation:
    return FoundCitation(Citation(path, Region(start, end), anchor), state, offset, found)


def result(
    claim: str,
    statement: Text,
    rule: str,
    outcome: Outcome,
    *citations: FoundCitation,
    excerpts: tuple[Excerpt, ...] = (),
    accepted: Acceptance | None = None,
    baseline: BaselineState | None = None,
) -> Result:
    origin = f"anchors/l1-kv-pool/{claim.partition('/')[0]}.yaml:{len(claim)}"
    cites = tuple(found.citation for found in citations)
    return Result(Claim(claim, statement, origin, rule, cites, accepted), outcome, citations, excerpts, baseline)


sglang = Run(
    SGLANG,
    Revision("git", "f4de6abee6", SGLANG.commit),
    (
        result(
            "sglang/1.2/remaining-total",
            Text(
                "The admission budget left is free plus evictable, minus an offset.",
                "剩余的准入预算等于空闲加可驱逐，减去偏移。",
            ),
            "formula",
            Outcome(
                Kind.PASS,
                Text(
                    "remaining_total is _free_and_evictable() - total_offset",
                    "remaining_total 是 _free_and_evictable() - total_offset",
                ),
                "self._free_and_evictable() - self.total_offset",
                "self._free_and_evictable() - self.total_offset",
                (at(BUDGET, 83, 83, "PrefillBudget.remaining_total"),),
                "5f2b9c1e",
            ),
            cited(BUDGET, 75, 82, AnchorState.SHIFTED, at(BUDGET, 77, 83, "PrefillBudget"), offset=2),
            excerpts=(excerpt(BUDGET, 77, engine_code.BUDGET_PROPERTIES),),
            baseline=BaselineState.UNCHANGED,
        ),
        result(
            "sglang/1.2/reserved-expression-at-line-37",
            Text(
                "The sum at line 37 is what reserve() adds for a request.",
                "第 37 行的求和，就是 reserve() 为每个请求加上的量。",
            ),
            "pattern",
            Outcome(
                Kind.FAIL,
                Text(
                    "reserve() adds `length + page`; the sum of three is in estimate(), which only logs",
                    "reserve() 加的是 `length + page`；三项之和在 estimate() 里，它只写日志",
                ),
                "extend + max_new + page",
                "length + page",
                (
                    at(BUDGET, 52, 52, "PrefillBudget.reserve"),
                    at(BUDGET, 37, 37, "PrefillBudget.estimate", Text("the three terms are here", "三项在这里")),
                ),
                "07aa41d3",
            ),
            cited(BUDGET, 37, 37, AnchorState.EXACT, at(BUDGET, 37, 37, "PrefillBudget")),
            baseline=BaselineState.NEW,
        ),
        result(
            "sglang/3/retracted-total-metric-name",
            Text(
                "The retraction counter is sglang:num_retracted_reqs_total.",
                "回退计数器叫 sglang:num_retracted_reqs_total。",
            ),
            "metric",
            Outcome(
                Kind.FAIL,
                Text(
                    "no metric is exported under this name; the nearest is sglang:retracted_requests_total",
                    "没有以此名导出的指标；最接近的是 sglang:retracted_requests_total",
                ),
                "sglang:num_retracted_reqs_total",
                "sglang:retracted_requests_total",
                (at(COLLECTOR, 471, 475, "Collector.__init__"),),
                "c0ffee12",
            ),
            cited(COLLECTOR, 469, 486, AnchorState.INSIDE, at(COLLECTOR, 471, 475, "Collector.__init__")),
            excerpts=(excerpt(COLLECTOR, 471, engine_code.COUNTERS),),
            accepted=Acceptance(
                Kind.FAIL,
                Text(
                    "Only the attribute is called that. Write sglang:retracted_requests_total.",
                    "那是属性名，不是导出的指标名。应写成 sglang:retracted_requests_total。",
                ),
            ),
            baseline=BaselineState.UNCHANGED,
        ),
        result(
            "sglang/4/tier-definitions",
            Text("The design document calls GPU memory L1 and host memory L2.", "设计文档把显存叫 L1、主机内存叫 L2。"),
            "pattern",
            Outcome(
                Kind.OPEN,
                Text(
                    "docs/design.mdx is gone, so there is nothing to read the definitions from",
                    "docs/design.mdx 已不存在，无处读取这些定义",
                ),
            ),
            cited(
                "docs/design.mdx", 12, 12, AnchorState.LOST, anchor=Anchor("docs/design.mdx", "Tiers", "L1 = device")
            ),
        ),
        result(
            "sglang/4.1/hicache-ratio-default",
            Text("The host tier is twice the device pool by default.", "主机层默认是设备池的两倍。"),
            "default-value",
            Outcome(
                Kind.REVIEW,
                Text(
                    "2.0 is one of two defaults: 1.2 when args.buffer_only",
                    "2.0 只是两个默认值之一：args.buffer_only 时为 1.2",
                ),
                2.0,
                "1.2 if args.buffer_only, else 2.0",
                (
                    at(HOOK, 105, 105, "default_ratio"),
                    at(HOOK, 103, 104, "default_ratio", Text("under buffer_only", "buffer_only 时")),
                ),
                "9d1e77b0",
            ),
            cited(HOOK, 98, 101, AnchorState.SHIFTED, at(HOOK, 100, 105, "default_ratio"), offset=2),
            excerpts=(excerpt(HOOK, 98, "\n\n" + engine_code.RATIO),),
        ),
        result(
            "sglang/4.1/write-back-default",
            Text("Write-through is the default policy.", "默认策略是直写。"),
            "default-value",
            Outcome(
                Kind.PASS,
                Text("the default is 'write_through'", "默认值是 'write_through'"),
                "write_through",
                "write_through",
            ),
            cited("python/sglang/srt/server_args.py", 610, 612, AnchorState.MOVED, at(HOOK, 40, 42, "HICACHE_FIELDS")),
            accepted=Acceptance(Kind.FAIL, Text("It was write_back until September.", "九月之前是 write_back。")),
            baseline=BaselineState.RESOLVED,
        ),
    ),
    (Notification(f"{COLLECTOR} needs a newer Python than this one; read with the tolerant parser"),),
)

vllm = Run(
    VLLM,
    Revision("pypi", "0.31.0"),
    (
        result(
            "vllm/block-size/default-16",
            Text("A block holds 16 tokens by default.", "一个块默认存 16 个 token。"),
            "default-value",
            Outcome(
                Kind.PASS,
                Text("the default of block_size is 16", "block_size 的默认值是 16"),
                16,
                16,
                (at(CACHE, 71, 71, "CacheConfig.DEFAULT_BLOCK_SIZE"),),
                "b10c0016",
            ),
            cited(CACHE, 71, 71, AnchorState.EXACT, at(CACHE, 71, 71, "CacheConfig.DEFAULT_BLOCK_SIZE")),
            excerpts=(excerpt(CACHE, 69, engine_code.CACHE_CONFIG),),
        ),
        result(
            "vllm/design/watermark-page",
            Text("The design page describes the reserve.", "设计文档说明了这份预留。"),
            "symbol",
            Outcome(
                Kind.OPEN,
                Text(
                    "a wheel has no docs/; audit a commit to decide this",
                    "wheel 里没有 docs/；要判定它，请审计某个提交",
                ),
            ),
            FoundCitation(Citation("docs/design/kv.md", None), AnchorState.UNAVAILABLE),
            accepted=Acceptance(
                Kind.OPEN, Text("A commit has the page.", "提交里有这份文档。"), found="none", unshipped=True
            ),
        ),
        result(
            "vllm/kv/formula-gqa",
            Text("One token of an 80-layer GQA model takes 320 KiB.", "80 层的 GQA 模型，一个 token 占 320 KiB。"),
            "arithmetic",
            Outcome(
                Kind.PASS, Text("2 * 80 * 8 * 128 * 2 / 1024 is 320", "2 * 80 * 8 * 128 * 2 / 1024 等于 320"), 320, 320
            ),
        ),
        result(
            "vllm/watermark/default-zero",
            Text("The watermark defaults to 0.0, which disables it.", "watermark 默认是 0.0，也就是不启用。"),
            "default-value",
            Outcome(
                Kind.PASS,
                Text("the default of watermark is 0.0", "watermark 的默认值是 0.0"),
                0.0,
                0.0,
                (at(SCHEDULER_CONFIG, 199, 199, "SchedulerConfig.watermark"),),
                "0d0e0f10",
            ),
            cited(
                SCHEDULER_CONFIG,
                197,
                202,
                AnchorState.INSIDE,
                at(SCHEDULER_CONFIG, 199, 201, "SchedulerConfig.watermark"),
            ),
            excerpts=(excerpt(SCHEDULER_CONFIG, 197, engine_code.WATERMARK_FIELD),),
        ),
        result(
            "vllm/watermark/old-v1-default-0-01",
            Text("Older versions of v1 defaulted to 0.01.", "更早的 v1 默认是 0.01。"),
            "default-value",
            Outcome(
                Kind.NOT_APPLICABLE,
                Text("speaks of versions before 0.10; this is 0.31.0", "说的是 0.10 之前的版本；这里是 0.31.0"),
            ),
        ),
        result(
            "vllm/watermark/only-waiting-or-preempted",
            Text("It reserves blocks only for waiting or preempted requests.", "只为等待中或被抢占的请求预留块。"),
            "pattern",
            Outcome(
                Kind.REVIEW,
                Text("holds, and only while another request is running", "成立，但只在另有请求正在运行时"),
                locations=(
                    at(MANAGER, 509, 513, "KVCacheManager.allocate_slots"),
                    at(MANAGER, 509, 509, None, Text("the further condition", "另加的条件")),
                    at(MANAGER, 205, 205, "KVCacheManager.__init__", Text("where it is computed", "它在这里算出")),
                ),
                fingerprint="77e1a2b3",
            ),
            cited(
                MANAGER, 506, 511, AnchorState.SHIFTED, at(MANAGER, 508, 513, "KVCacheManager.allocate_slots"), offset=2
            ),
            excerpts=(
                excerpt(MANAGER, 205, engine_code.WATERMARK_INIT),
                excerpt(MANAGER, 506, "\n\n" + engine_code.WATERMARK_GUARD),
            ),
            accepted=Acceptance(
                Kind.REVIEW,
                Text("Add that an idle engine ignores the watermark.", "应补一句：引擎空闲时不理会 watermark。"),
            ),
        ),
    ),
)

RULES = (
    Rule("arithmetic", "A sum or a product comes out as stated.", "A sum or a product comes out as stated."),
    Rule("default-value", "What a field is, unless it is set.", "What a field is, unless it is set.\n\n    equals: 16"),
    Rule("formula", "Two expressions are equal.", "Two expressions are equal.\n\n*Parameters.* `equals` is the other."),
    Rule("metric", "A metric is exported under a name.", "A metric is exported under a name."),
    Rule("pattern", "Code looks like this.", "Code looks like this.\n\n*Parameters.* `code`, with holes."),
    Rule("symbol", "There is such a class or function.", "There is such a class or function."),
)

ordinary = Log("l1-kv-pool", Text("Where the KV cache runs out", "KV 缓存在哪里先用完"), "0.1.0", (sglang, vllm), RULES)

EVIL = (
    "<script>alert(1)</script></script><!--|`**_[x](javascript:alert(1))_**`|\"'&amp; ]]>"
    " \x1b[31mred\x1b[0m\x07\x00 \u202eright to left\u202c\nsecond line\r\n::error::third\ud800"
)
LONG = "x" * 10_000


def evil(claim: str, kind: Kind, message: str = EVIL) -> Result:
    region = Region(1, 2)
    place = Location(f"{EVIL}/a b#?%.py", region, EVIL, Text(EVIL, EVIL))
    citations = tuple(
        FoundCitation(Citation(place.path, region, Anchor(place.path, EVIL, EVIL)), state, -1, place)
        for state in AnchorState
    )
    return Result(
        Claim(
            claim,
            Text(EVIL, EVIL),
            f"{EVIL}:1",
            EVIL,
            tuple(found.citation for found in citations),
            Acceptance(Kind.FAIL, Text(EVIL, EVIL)),
        ),
        Outcome(kind, Text(message, message), EVIL, 1e300, (place, place, Location(EVIL)), EVIL),
        citations,
        (Excerpt(place.path, 1, (EVIL.replace("\n", " "), "", LONG)),),
        BaselineState.NEW,
        Outcome(Kind.PASS, Text(EVIL, EVIL), EVIL, None, (place,), EVIL),
        (Change(place, None, (DiffLine(1, None, EVIL), DiffLine(2, 1, LONG))),),
        (Interval(Kind.PASS, EVIL, EVIL),),
    )


hostile = Log(
    EVIL,
    Text(EVIL, EVIL),
    EVIL,
    (
        Run(
            Target(EVIL, "javascript:alert(1)//https://", EVIL, EVIL, tag=EVIL + "{version.__class__}{version}"),
            Revision("pypi", EVIL, None),
            (
                evil(f"{EVIL}/a", Kind.FAIL, LONG),
                evil(f"{EVIL}/{EVIL}/b?c#d", Kind.PASS),
                Result(Claim("", Text("", ""), "", ""), Outcome(Kind.OPEN, Text("", ""))),
                Result(
                    Claim("no/location", Text("-", "-"), "a.yaml:1", "all", (Citation("not/looked/at.py", None),)),
                    Outcome(Kind.OPEN, Text("the check crashed", "检查崩溃了"), float("-inf"), float("nan")),
                ),
            ),
            (Notification(EVIL, EVIL, True), Notification("ZeroDivisionError: division by zero", "no/location", True)),
        ),
        Run(
            Target(EVIL, "https://example.org/'\"><script>alert(1)</script>"),
            Revision("git", EVIL, "' onmouseover='alert(1)"),
            (evil(f"{EVIL}/a", Kind.REVIEW), evil(f"{EVIL}/a", Kind.NOT_APPLICABLE)),
        ),
        Run(Target("empty", "data:text/html,<script>alert(1)</script>"), Revision("directory", "/"), ()),
    ),
    (Rule(EVIL, EVIL, EVIL), Rule("all", "", LONG)),
)
