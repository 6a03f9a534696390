"""How texts write a path and lines. Each expression is of bounded width or possessive, so that none backtracks far."""

import re

EXTENSIONS = (
    "pyi?|pyx|pxd|ipynb|c|cc|cpp|cxx|cu|cuh|h|hh|hpp|hxx|inl|rs|go|java|kt|scala|swift|rb|php|lua|jl|zig|m|mm|"
    "jsx?|mjs|cjs|tsx?|vue|css|scss|html?|sh|bash|zsh|ps1|bat|ya?ml|toml|json|jsonl|cfg|ini|conf|env|"
    "mdx?|rst|txt|adoc|proto|sql|cmake|mk|gradle|tf|jinja2?|j2|tmpl|tpl|dockerfile|template|patch|diff|xml|csv|lock|in"
)
"""Of the files that texts cite."""

_NAMES = "Dockerfile|Makefile|CMakeLists\\.txt|Jenkinsfile|BUILD|WORKSPACE|Kconfig"

PATH = re.compile(
    r"(?<![A-Za-z0-9_.+@/\\$~%=-])(?<!://)"
    r"(?P<path>(?:~?/|\.{1,3}/|…/|<[\w-]{1,30}>/|\$\{?\w{1,40}\}?/)?+(?:[A-Za-z0-9_.+@-]{1,120}/){0,30}+"
    rf"(?:[A-Za-z0-9_+@.-]{{1,120}}?\.(?:{EXTENSIONS})|{_NAMES}))"
    r"(?![A-Za-z0-9_/-]|\.[A-Za-z0-9_])"
)
"""A path to a file; one name at least, with an extension that source has."""

FOLDER = re.compile(r"(?<![A-Za-z0-9_.+@/\\$~%=:-])(?P<path>(?:[A-Za-z0-9_.-]{1,120}/){2,30}+)(?![A-Za-z0-9_./*{<$-])")
"""A path to a folder: it ends in a slash."""

_DASH = r"[-\u2010-\u2015\u2212~～〜]"
_TO = rf"(?:{_DASH}{{1,2}}|\s?(?:[~～〜至到]|\bto\b|\bthrough\b)\s?|\s[-\u2013]\s(?=[Ll]\d))"
"""What joins the ends of a range; a dash between blanks is punctuation."""
_N = r"[1-9]\d{0,5}"
_RANGE = rf"(?:[Ll]\.?\s?)?{_N}(?!\d)(?:{_TO}[Ll]?{_N}(?!\d))?"
_SEPARATOR = r"(?:,|，|、|;|；|/|\+|&)"
_MORE = (
    rf"(?:{_SEPARATOR}[Ll]?{_N}(?!\d)(?:{_DASH}{{1,2}}[Ll]?{_N}(?!\d))?(?![.%]\w|%|[KMGBx×])"
    rf"|{_SEPARATOR}\s[Ll]?{_N}(?!\d){_DASH}{{1,2}}[Ll]?{_N}(?![\d%]|\s?[KMG×])"
    rf"|{_SEPARATOR}\s(?:L{_N}|{_N}(?=\s?[,，、;；)）\]】|`]|$))(?!\d))"
)
"""Another range after a comma: one that cannot be the count of something."""
_LIST = rf"{_RANGE}(?:{_MORE}){{0,100}}"
_ROUND = r"(?:约|大约|around\s|about\s|approx\.?\s|ca\.?\s|~|≈)?"

_ALSO = rf"(?:\s?(?:,|，|、|/|和|与|及|;|；)\s?[Ll]?{_N}(?!\d)(?:{_DASH}{{1,2}}[Ll]?{_N}(?!\d))?)"
_IN_WORDS = rf"{_RANGE}{_ALSO}{{0,20}}"
_ROWS = r"行(?!业|为|动|程|列|数|代码|高|距|的?数据)"

AFTER = tuple(
    re.compile(pattern)
    for pattern in (
        rf"['\"”’]?\s?[:：](?P<approx>[~≈])?(?P<lines>{_LIST})(?P<column>:\d{{1,4}}(?!\d))?",
        rf"['\"”’]?#[Ll]?(?P<lines>{_N}(?:C\d+)?(?:{_DASH}[Ll]?{_N}(?:C\d+)?)?)(?![\w-])",
        rf"\s{{0,3}}[(（\[【]\s?(?:at\s|第\s?)?(?:lines?\s|行\s?|line\s?#?)(?P<approx>{_ROUND})(?P<lines>{_LIST})",
        rf"\s{{0,3}}[(（\[【]\s?(?:第\s?)(?P<approx>{_ROUND})(?P<lines>{_LIST})\s?行",
        rf"\s{{0,3}}[(（\[【]\s?(?P<approx>{_ROUND})(?P<lines>{_N}{_DASH}{{1,2}}{_N}(?:{_MORE}){{0,100}})\s?行",
        rf"\s{{0,3}}[(（\[【]\s?(?P<approx>[~≈约])?(?P<lines>[Ll]{_N}(?!\d)(?:{_TO}[Ll]?{_N})?(?:{_MORE}){{0,100}})",
        rf"\s{{0,3}}[(（\[【]\s?(?P<lines>{_N}{_DASH}{_N}(?:{_MORE}){{0,100}})\s?[)）\]】]",
        rf"[\s,，·|@:：]{{1,3}}(?P<approx>[~≈])?(?P<lines>L{_N}(?!\d)(?:{_TO}L?{_N})?(?:{_MORE}){{0,100}})",
        rf"[\s,，:：]{{1,3}}(?:at\s|on\s|around\s|in\s)?[Ll]ines?\s(?P<approx>[~≈])?(?P<lines>{_LIST})",
        rf"\s?(?:文件|中|里|的|,|，)?(?:的)?\s?第\s?(?P<approx>{_ROUND})(?P<lines>{_LIST})\s?行",
        rf"\s(?P<approx>{_ROUND})(?P<lines>{_N}{_DASH}{{1,2}}{_N}(?:{_MORE}){{0,100}})\s?行(?!为|业|动|程|列|数|代码)",
    )
)
"""What may follow a path and say lines."""

BEFORE = re.compile(rf"(?:[Ll]ines?\s|\bL)(?P<lines>{_LIST})\s(?:of|in|from)\s(?:the\s)?(?:file\s)?$")
"""What may stand before a path and say lines: `lines 10-20 of`."""

AGAIN = re.compile(
    rf"(?:(?<=[\s,，、;；/|（(\[【“\"'`])|^)[:：](?P<approx>[~≈])?(?P<lines>{_LIST})(?![\d:：]|\.\d)"
    rf"|(?<=[(（\[【])(?:lines?\s|line\s?#?|第\s?)(?P<approx2>{_ROUND})(?P<lines2>{_LIST})\s?行?(?=[)）\]】,，;；])"
    rf"|(?<![A-Za-z0-9_./#:-])(?P<lines3>L{_N}(?!\d)(?:{_TO}L?{_N}(?!\d))?(?:{_MORE}){{0,100}})(?![A-Za-z0-9_./-])"
    rf"|(?<![表图文式节章步])第\s?(?P<approx4>{_ROUND})(?:(?P<grouped>[1-9],\d{{3}})|(?P<words>{_IN_WORDS}))\s?{_ROWS}"
    rf"|(?<=[(（,，、;；])\s?(?P<several>{_RANGE}{_ALSO}{{1,20}}|{_N}{_DASH}{{1,2}}{_N})\s?{_ROWS}(?:起|附近|开始|左右)?(?=[)）,，、;；。])"
    rf"|(?<![\w-])[Ll]ines?\s(?P<english>{_LIST})(?=\s?[)）\],，;；.。:：]|\s)(?!\s?(?:of|in|from)\s)"
)
"""Lines of a file that is named before."""

SYMBOL_AFTER = re.compile(r"::(?P<symbol>[A-Za-z_]\w{0,100}(?:(?:\.|::)[A-Za-z_]\w{0,100}){0,5})(?:\(\))?(?![{*<\w])")
"""What may follow a path and say a symbol."""

SYMBOL_AFTER_COLON = re.compile(r":(?P<symbol>(?!L\d)[A-Za-z_]\w{1,100}(?:\.[A-Za-z_]\w{0,100}){0,5})(?:\(\))?")
"""The same with one colon, where nothing else is in the code marks: `path.py:Class.method`."""

SYMBOL = re.compile(r"(?P<symbol>[A-Z]\w{1,100}(?:\.[A-Za-z_]\w{0,100}){1,3})(?:\([^()\n]{0,80}\))?")
"""A symbol that is cited alone: a class and its member."""

BARE_SYMBOL = re.compile(
    r"(?<![\w./:@-])(?P<symbol>[A-Z]\w{0,60}[a-z]\w{0,60}\.[a-z_]\w{2,100}(?:\.[a-z_]\w{0,100}){0,2})(?![\w.]|-\w)(?:\(\))?"
)
"""The same in text without code marks."""

NUMBERS = re.compile(rf"(?P<start>{_N})(?:C\d+)?(?:{_TO}[Ll]?(?P<end>{_N}))?")

URL_PATH = re.compile(
    r"https?://(?:www\.)?(?P<host>github\.com|gitlab\.com|gitee\.com|codeberg\.org|bitbucket\.org|raw\.githubusercontent\.com|"
    r"github\.dev|gitcode\.com)/(?P<owner>[\w.-]{1,100})/(?P<repository>[\w.-]{1,100})/"
    r"(?P<rest>[^\s?#]{1,1000})(?:\?[^\s#]{0,300})?(?:#(?P<fragment>[^\s]{0,200}))?"
)
URL_LINES = re.compile(rf"L?(?P<start>{_N})(?:C\d+)?(?:[-~]L?(?P<end>{_N})(?:C\d+)?)?$")

LOG = re.compile(
    r"\b(?:INFO|WARN(?:ING|NING)?|ERROR|DEBUG|CRITICAL|TRACE|FATAL)\b.{0,80}?\d\d:\d\d|\d\d:\d\d:\d\d[.,\d]*\s.{0,40}\b(?:INFO|WARN|ERROR|DEBUG)"
    r"|\[\w[\w./-]{0,80}\.(?:py|cc|cpp|cu|rs|go):\d{1,6}\]|^\s*(?:[A-Z]\w+(?:Error|Exception|Warning)): |"
    r"(?:pid|rank)=\d+\)|^\s*\S+:\d+:(?:\d+:)? (?:error|warning|note|[EFWCRN]\d{3,4})\b"
)
"""A line of a log, of a compiler or of a linter."""
TRACEBACK = re.compile(r'\bFile ["“][^"”\n]{1,400}["”], line \d+|^\s{1,8}at [\w.$<>]{1,200}\([\w.]{1,100}:\d+\)')
EXAMPLES = frozenset(
    {"console", "shell-session", "log", "logs", "diff", "patch", "json", "jsonl", "traceback", "pytb", "pycon"}
)
"""Languages of code blocks that show what a machine printed, or data."""
