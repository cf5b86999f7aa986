"""The dialogue act of a turn, from its form."""

from __future__ import annotations

import re

_FORMS = (
    ("thank", r"^(?:thanks?\b|thank you|thx|many thanks|cheers\b|much appreciated|谢谢|多谢|感谢|谢了|辛苦了)"),
    ("apologise", r"^(?:sorry\b|i'm sorry|i am sorry|i apologi[sz]e|my apologies|my bad|抱歉|对不起|不好意思)"),
    (
        "question",
        r"[?？]\s*$|(?:吗|呢)[。.!！]?\s*$|^(?:(?:who|what|when|where|why|how|which)(?:'s| is| are| do| does| did| was| were| can| should| will| would| many| much| about| long| old| often)|(?:does|do|did|is|are|was|were|has|have|can|could|will|would|should) (?:i|you|he|she|it|we|they|there|the|your|my)|can you tell)\b|^(?:谁|什么|怎么|为什么|哪)",
    ),
    (
        "request",
        r"\b(?:please|could you|can you|would you|remind me|help me)\b|^(?:book|find|send|add|set|create|make|schedule|cancel|call|write|show|give|buy|order|move|change|update|delete)\b|请|帮我|提醒我|麻烦你",
    ),
    (
        "confirm",
        r"^(?:yes\b|yeah|yep|yup|correct|right|exactly|that's right|sure|of course|absolutely|definitely|confirmed|是的|对的?[，。!！]|对$|没错|确认|当然|可以)",
    ),
    ("deny", r"^(?:no\b|nope|not really|that's (?:not|wrong)|wrong|incorrect|不是|不对|没有[，。]|不行|不[，。])"),
    (
        "acknowledge",
        r"^(?:ok|okay|got it|i see|understood|noted|alright|all right|makes sense|cool|great|fine)\b|^(?:嗯+|好的?|知道了|明白|收到|了解|行)(?=[\s,.!，。！吧啊呀]|$)",
    ),
    ("greet", r"^(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings|howdy|你好|您好|早上好|下午好|晚上好|嗨|哈喽|早[，。!！])"),
)
_READ = tuple((act, re.compile(pattern, re.IGNORECASE)) for act, pattern in _FORMS)
_LONG = 60
_SHORT_ACTS = frozenset({"greet", "acknowledge", "confirm", "deny", "thank", "apologise"})


def act_of(text: str) -> str:
    """One of the acts of the ontology; what fits no form informs."""
    stripped = text.strip()
    opening = next((act for act, pattern in _READ if act in _SHORT_ACTS and pattern.search(stripped)), None)
    asked = next((act for act, pattern in _READ if act not in _SHORT_ACTS and pattern.search(stripped)), None)
    polite_request = asked == "question" and re.search(
        r"\b(?:could|can|would|will) you\b|帮我|(?:能不能|可不可以|可以|能|可否)(?:帮|提醒|给我)", stripped, re.IGNORECASE
    )
    if asked:
        return "request" if polite_request else asked
    return opening if opening and len(stripped) <= _LONG else "inform"
