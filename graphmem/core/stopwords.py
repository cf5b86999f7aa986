"""Words that carry no content: for the index, and more of them for questions. Data, one set per purpose."""

from __future__ import annotations

FUNCTION_WORDS = frozenset(
    """
    a an the this that these those and or but nor so if then else than as of at by for with about against between into through during
    before after above below to from up down in out on off over under again further once here there
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself
    they them their theirs themselves one ones
    am is are was were be been being have has had having do does did doing done will would shall should can could may might must ought
    not no isn aren wasn weren don doesn didn haven hasn hadn won wouldn shan shouldn couldn mustn needn ain cannot
    s t d m ll re ve y o
    what which who whom whose when where why how
    """.split()  # noqa: SIM905 — a list of ninety quoted words would not be read
)
"""Left out of the index and of every query (unless a text has nothing else)."""

FILLERS = frozenset(
    """
    all any both each few more most other others some such only own same too very just also even still ever yet already really much many lot lots
    get gets got gotten getting go goes going gone went let lets make makes made way thing things something anything everything kind type sort
    oh hey hi hello wow yeah yes ok okay well sure please thanks thank like
    mention mentioned tell told say said says ask asked describe describes described discuss discussed talk talked
    according does did long often name
    """.split()  # noqa: SIM905 — see above
)
"""Words of a question, or of any chat, that say nothing about what is looked for; left out of queries only."""

CHINESE_FUNCTION = frozenset(
    "的了吗呢吧啊呀嘛哦么着过地得之是在有和与及或就都也还又很太我你他她它们您咱这那哪谁几个被把给让跟对从到向为以于而但不没会能要想说叫"
)
"""Characters that mostly do grammar: a pair of two of them is no index token; between them a single character is a word of its own."""

CHINESE_QUESTION = (
    "为什么", "怎么样", "怎么办", "有没有", "是不是", "能不能", "会不会", "什么时候", "什么样", "哪一天", "哪一年", "哪一个", "多少", "多久", "多大", "多长",
    "什么", "怎么", "怎样", "如何", "哪里", "哪儿", "哪个", "哪些", "哪位", "哪天", "哪年", "几点", "几号", "几个", "几次", "请问", "告诉", "时候", "是谁", "谁",
)  # fmt: skip
"""Question phrases cut out of a question before its character pairs are taken, longest first within a meaning."""
