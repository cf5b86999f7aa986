// Every word of the page in both languages. `{name}` is filled in.

const en = {
  skip: "Skip to the content", user: "User", key: "Key", keyHint: "none on this machine", open: "Open", dark: "Dark", views: "Views",
  search: "Search", browse: "Browse", disputes: "Disputes", question: "Question", questionHint: "Where does Alice live?", find: "Find",
  heldOn: "As it was on", archived: "Also what is archived", found: "What was found", type: "Type", show: "Show", memories: "Memories", more: "More",
  close: "Close", about: "About this memory", versions: "Versions", chain: "Chain", graph: "Graph", forget: "Forget…", pin: "Pin", unpin: "Unpin",
  sureTitle: "Erase this for good?", sureNote: "It is erased with its versions and with what was derived from it alone. This cannot be undone.",
  withSources: "Also the turns that still say it", keepIt: "Keep it", erase: "Erase", any: "any",
  results: "{n} found", nothing: "Nothing matches.", empty: "Nothing is remembered yet.", understood: "Understood: {text}",
  why: "Why: score {score}", part: "Part", points: "Points", saidBy: "{who}, {when}", outdated: "Outdated: now “{text}”", disputed: "Disputed by “{text}”",
  via: "reached by {path}", noDisputes: "Nothing is disputed.", keepThis: "Keep this", both: "Keep both", neither: "Keep neither", undo: "Undo",
  settled: "Settled.", undone: "The dispute stands again.", source: "Source", confidence: "Confidence", state: "State", held: "Held", from: "From", to: "To",
  recorded: "Recorded", until: "Believed until", said: "Said", session: "Session", entities: "Entities", value: "What", open_end: "open", now: "now",
  timeline: "When each version held", connections: "Connections", noChain: "Nothing is linked to this memory.", picture: "The graph around this memory",
  forgotten: "Erased: {n}. {left} turns still say it.", pinned: "Pinned.", unpinned: "No longer pinned.", needKey: "This server needs a key for this user.",
  unreachable: "The server cannot be reached.", totals: "{memories} memories, {entities} entities", opened: "Opened {user}.", mentions: "mentions",
  working: "Working memory of a session", observed: "What is said or asked", observe: "Take in", clear: "Let go of all", cleared: "Nothing is held.",
  measures: "{items} held, {pinned} pinned; likeness {redundancy}", hold: "Hold: {text}", letGo: "Let go: {text}", holdShort: "Hold", letGoShort: "Let go",
  current: "current", superseded: "superseded", expired: "expired", upcoming: "upcoming", invalid: "never held", archivedState: "archived", disputedState: "disputed",
};
const zh = {
  skip: "跳到内容", user: "用户", key: "密钥", keyHint: "本机无需密钥", open: "打开", dark: "深色", views: "视图",
  search: "搜索", browse: "浏览", disputes: "争议", question: "问题", questionHint: "小李住在哪里？", find: "查找",
  heldOn: "当时（日期）", archived: "包括已归档", found: "结果", type: "类型", show: "显示", memories: "记忆", more: "更多",
  close: "关闭", about: "关于这条记忆", versions: "版本", chain: "任务链", graph: "图", forget: "忘记…", pin: "置顶保留", unpin: "取消保留",
  sureTitle: "确定永久删除？", sureNote: "将连同其各个版本以及仅由它推出的内容一并删除，无法撤销。",
  withSources: "同时删除仍提到它的原话", keepIt: "保留", erase: "删除", any: "全部",
  results: "找到 {n} 条", nothing: "没有匹配的记忆。", empty: "还没有任何记忆。", understood: "理解为：{text}",
  why: "原因：得分 {score}", part: "组成", points: "分值", saidBy: "{who}，{when}", outdated: "已过时，现在是“{text}”", disputed: "与“{text}”有争议",
  via: "经由 {path}", noDisputes: "没有争议。", keepThis: "保留这一条", both: "都保留", neither: "都不保留", undo: "撤销",
  settled: "已解决。", undone: "争议已恢复。", source: "来源", confidence: "可信度", state: "状态", held: "有效期", from: "从", to: "到",
  recorded: "记录于", until: "相信至", said: "说于", session: "会话", entities: "实体", value: "内容", open_end: "至今", now: "现在",
  timeline: "各版本的有效时间", connections: "关联", noChain: "没有与之关联的记忆。", picture: "这条记忆周围的图",
  forgotten: "已删除 {n} 项；仍有 {left} 句原话提到它。", pinned: "已保留。", unpinned: "已取消保留。", needKey: "此服务器需要该用户的密钥。",
  unreachable: "无法连接服务器。", totals: "{memories} 条记忆，{entities} 个实体", opened: "已打开 {user}。", mentions: "提到",
  working: "会话的工作记忆", observed: "所说或所问", observe: "纳入", clear: "全部放下", cleared: "没有持有任何记忆。",
  measures: "持有 {items} 条，固定 {pinned} 条；相似度 {redundancy}", hold: "固定：{text}", letGo: "放开：{text}", holdShort: "固定", letGoShort: "放开",
  current: "当前", superseded: "已被取代", expired: "已过期", upcoming: "尚未开始", invalid: "从未成立", archivedState: "已归档", disputedState: "有争议",
};
const types = {
  Goal: "目标", Plan: "计划", Step: "步骤", Event: "事件", Fact: "事实", Preference: "偏好", Episode: "原话", Observation: "观察", EmotionalState: "情绪",
  DialogueAct: "对话行为", ContextualFrame: "情境", Constraint: "约束", Instruction: "指示", Rule: "规则", Summary: "摘要",
};

export const TYPES = Object.keys(types);

export class Words {
  constructor(language) {
    this.language = language === "zh" ? "zh" : "en";
    this.known = this.language === "zh" ? zh : en;
  }
  say(name, values = {}) {
    return (this.known[name] ?? en[name] ?? name).replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
  }
  type(name) {
    return this.language === "zh" ? types[name] || name : name;
  }
  state(name) {
    return this.say({ archived: "archivedState", disputed: "disputedState" }[name] || name);
  }
  when(text, withTime = false) {
    if (!text) return this.say("open_end");
    const style = withTime ? { dateStyle: "medium", timeStyle: "short" } : { dateStyle: "medium", timeZone: "UTC" };
    return new Intl.DateTimeFormat(this.language === "zh" ? "zh-CN" : "en-GB", style).format(new Date(text));
  }
  /** Puts the words into every element that names one. */
  dress(root) {
    document.documentElement.lang = this.language === "zh" ? "zh-CN" : "en";
    for (const one of root.querySelectorAll("[data-word]")) one.textContent = this.say(one.dataset.word);
    for (const one of root.querySelectorAll("[data-label]")) one.setAttribute("aria-label", this.say(one.dataset.label));
    for (const one of root.querySelectorAll("[data-aria]")) one.setAttribute("aria-label", this.say(one.dataset.aria));
    for (const one of root.querySelectorAll("[data-placeholder]")) one.placeholder = this.say(one.dataset.placeholder);
  }
}
