"""What pages call things, in both languages. Words that stand in one place are there, in the template."""

from auditor.model import AnchorState, BaselineState, Kind, Text

SYMBOLS = {Kind.PASS: "✓", Kind.FAIL: "✕", Kind.REVIEW: "±", Kind.OPEN: "?", Kind.NOT_APPLICABLE: "–"}

KINDS = {
    Kind.PASS: Text("pass", "成立"),
    Kind.FAIL: Text("fail", "不成立"),
    Kind.REVIEW: Text("review", "需限定"),
    Kind.OPEN: Text("open", "未定"),
    Kind.NOT_APPLICABLE: Text("notApplicable", "不适用"),
}
MEANINGS = {
    Kind.PASS: Text("hold", "与代码相符"),
    Kind.FAIL: Text("are contradicted by the code", "与代码矛盾"),
    Kind.REVIEW: Text("hold only with a qualification", "加上限定才成立"),
    Kind.OPEN: Text("could not be decided", "无法判定"),
    Kind.NOT_APPLICABLE: Text("do not speak of this revision", "不涉及这个版本"),
}
VERDICTS = {
    Kind.PASS: Text("holds", "与代码相符"),
    Kind.FAIL: Text("is contradicted by the code", "与代码矛盾"),
    Kind.REVIEW: Text("holds only with a qualification", "加上限定才成立"),
    Kind.OPEN: Text("could not be decided", "无法判定"),
    Kind.NOT_APPLICABLE: Text("does not speak of this revision", "不涉及这个版本"),
}

STATES = {
    AnchorState.EXACT: Text("exact", "一致"),
    AnchorState.INSIDE: Text("inside", "在内"),
    AnchorState.SHIFTED: Text("shifted", "偏移"),
    AnchorState.MOVED: Text("moved", "迁移"),
    AnchorState.LOST: Text("lost", "丢失"),
    AnchorState.UNAVAILABLE: Text("unavailable", "不可得"),
}
STATE_MEANINGS = {
    AnchorState.EXACT: Text("the code is there as cited", "代码就在所引的行"),
    AnchorState.INSIDE: Text("the code is within these lines", "代码在所引的行之内"),
    AnchorState.SHIFTED: Text("the code has shifted", "代码在同一文件里移了行"),
    AnchorState.MOVED: Text("the code has moved to another file", "代码移到了另一个文件"),
    AnchorState.LOST: Text("the code is nowhere in this revision", "这个版本里找不到这段代码"),
    AnchorState.UNAVAILABLE: Text("this source does not ship the file", "这个来源不带这个文件"),
}

SINCE = {
    BaselineState.NEW: Text("new", "新问题"),
    BaselineState.RESOLVED: Text("resolved", "已解决"),
    BaselineState.UPDATED: Text("updated", "有更新"),
    BaselineState.ABSENT: Text("absent", "已不在"),
    BaselineState.UNCHANGED: Text("unchanged", "未变"),
}
SINCE_MEANINGS = {
    BaselineState.NEW: Text("the claim comes out worse than in the baseline", "结论比基线差"),
    BaselineState.RESOLVED: Text("the claim comes out better than in the baseline", "结论比基线好"),
    BaselineState.UPDATED: Text("the claim comes out the same, on code that differs", "结论相同，代码有变"),
    BaselineState.ABSENT: Text("only the baseline has the claim", "只有基线里有这条论断"),
    BaselineState.UNCHANGED: Text("nothing differs from the baseline", "与基线相同"),
}

MARKS = {
    "cited": Text("cited", "所引"),
    "found": Text("found", "现处"),
    "evidence": Text("evidence", "证据"),
}
MARK_MEANINGS = {
    "cited": Text("the lines that the article cites", "文章所引的行"),
    "found": Text("where the cited code is in this revision", "所引的代码在这个版本里的位置"),
    "evidence": Text("what decided the claim", "据以判定的代码"),
}


def shifted(offset: int | None) -> Text:
    """By how much cited code has shifted."""
    if not offset:
        return STATE_MEANINGS[AnchorState.SHIFTED]
    lines, way = abs(offset), ("down", "下") if offset > 0 else ("up", "上")
    return Text(
        f"the code has shifted {way[0]} by {lines} {'line' if lines == 1 else 'lines'}", f"代码{way[1]}移 {lines} 行"
    )
