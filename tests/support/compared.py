"""The ordinary log as a run that is compared with another: states, a diff, timelines, and a claim that is gone."""

from dataclasses import replace

from auditor.model import BaselineState, Change, DiffLine, Interval, Kind, Log, Outcome, Result, Revision, Text
from tests.support import logs

GONE = replace(
    logs.vllm.results[4],
    claim=replace(logs.vllm.results[4].claim, id="vllm/swap/space-default"),
    baseline=BaselineState.ABSENT,
)
DIFF = Change(
    logs.at(logs.SCHEDULER_CONFIG, 190, 192, "SchedulerConfig.watermark"),
    logs.at(logs.SCHEDULER_CONFIG, 199, 201, "SchedulerConfig.watermark"),
    (
        DiffLine(189, 198, ""),
        DiffLine(190, None, "    watermark: float = 0.01"),
        DiffLine(191, None, '    """Part of the blocks'),
        DiffLine(None, 199, "    watermark: float = Field(default=0.0, ge=0.0, lt=1.0)"),
        DiffLine(None, 200, '    """Part of the blocks'),
        DiffLine(192, 201, '    that admission leaves free."""'),
        DiffLine(None, None, "⋮ -2 +7"),
        DiffLine(203, 219, '    policy: Policy = "fcfs"'),
    ),
)


def _compared(result: Result) -> Result:
    match result.claim.id:
        case "vllm/watermark/default-zero":
            was = Text("the default of watermark is 0.01", "watermark 的默认值是 0.01")
            return replace(
                result,
                baseline=BaselineState.RESOLVED,
                earlier=Outcome(Kind.FAIL, was, 0.0, 0.01),
                changes=(DIFF,),
                timeline=(Interval(Kind.FAIL, "0.29.0", "0.30.0"), Interval(Kind.PASS, "0.31.0", "0.31.0")),
            )
        case "vllm/block-size/default-16":
            return replace(result, baseline=BaselineState.UPDATED, earlier=replace(result.outcome, locations=()))
        case _:
            return replace(result, baseline=BaselineState.UNCHANGED)


vllm = replace(
    logs.vllm,
    results=tuple(map(_compared, logs.vllm.results)),
    baseline=Revision("pypi", "0.30.0"),
    absent=(GONE,),
)
log: Log = replace(logs.ordinary, runs=(logs.sglang, vllm))
