"use strict";

// The address holds the whole view: `#<claim>?kind=fail&target=vllm&q=words&lang=zh`, each part optional.
(() => {
  const page = document.documentElement;
  const filters = document.getElementById("filters");
  const query = document.getElementById("q");
  const keys = document.getElementById("keys");
  const said = document.getElementById("said");
  const claims = [...document.querySelectorAll(".claim")].map((element) => ({
    element,
    details: element.querySelector("details"),
    summary: element.querySelector("summary"),
    words: "",
  }));
  const groups = [...document.querySelectorAll(".section, .run")];
  const boxes = [...filters.querySelectorAll("input[type=checkbox]")];
  const languages = [...document.querySelectorAll("input[name=lang]")];
  let current = "";

  const chosen = (name) => boxes.filter((box) => box.name === name && box.checked).map((box) => box.value);
  const language = () => languages.find((radio) => radio.checked).value;
  const say = (en, zh) => (language() === "zh" ? zh : en);

  function show() {
    const wanted = { kind: chosen("kind"), target: chosen("target"), since: chosen("since") };
    const only = chosen("only");
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const claim of claims) {
      const data = claim.element.dataset;
      if (words.length) claim.words ||= claim.element.textContent.toLowerCase();
      const matches =
        Object.entries(wanted).every(([name, values]) => !values.length || values.includes(data[name])) &&
        only.every((name) => name in data) &&
        words.every((word) => claim.words.includes(word));
      claim.element.hidden = !matches;
      count += matches;
    }
    for (const group of groups) group.hidden = !group.querySelector(".claim:not([hidden])");
    for (const link of document.querySelectorAll(".contents li a")) {
      link.classList.toggle("dim", document.getElementById(decoded(link.hash.slice(1)))?.hidden ?? false);
    }
    document.getElementById("shown").textContent = count;
    document.getElementById("empty").hidden = count > 0;
    document.getElementById("reset").hidden = ![...state().keys()].some((name) => name !== "lang");
  }

  function speak() {
    page.lang = say("en", "zh-Hans");
    query.placeholder = say(query.dataset.en, query.dataset.zh);
    query.ariaLabel = query.placeholder;
    document.title = `${document.querySelector(`h1 [lang=${page.lang}]`).textContent} – kvaudit`;
  }

  function state() {
    const view = new URLSearchParams();
    for (const box of boxes) if (box.checked) view.append(box.name, box.value);
    if (query.value) view.set("q", query.value);
    if (language() !== "en") view.set("lang", language());
    return view;
  }

  function restore(view) {
    for (const box of boxes) box.checked = view.getAll(box.name).includes(box.value);
    query.value = view.get("q") ?? "";
    const wanted = view.get("lang");
    if (wanted) for (const radio of languages) radio.checked = radio.value === wanted;
    if (!languages.some((radio) => radio.checked)) languages[0].checked = true;
  }

  function remember() {
    const view = state().toString();
    history.replaceState(null, "", `#${current}${view && `?${view}`}`);
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  function mark(element) {
    document.querySelector(".current")?.classList.remove("current");
    element?.classList.add("current");
  }

  function reset() {
    restore(new URLSearchParams());
    show();
  }

  function go() {
    const [id, view] = location.hash.slice(1).split(/\?(.*)/s);
    if (view !== undefined) restore(new URLSearchParams(view));
    speak();
    show();
    current = id;
    mark(null);
    const element = id && document.getElementById(decoded(id));
    if (element) {
      if (element.closest("[hidden]")) reset();
      if (element.matches(".claim")) {
        mark(element);
        element.querySelector("details").open = true;
      }
      element.scrollIntoView();
      element.tabIndex = -1;
      element.focus({ preventScroll: true });
    }
    remember();
  }

  function step(by) {
    const shown = claims.filter((claim) => !claim.element.hidden);
    const from = document.activeElement?.closest(".claim") ?? document.querySelector(".current");
    const at = shown.findIndex((claim) => claim.element === from);
    const next = shown[at < 0 ? (by > 0 ? 0 : shown.length - 1) : at + by];
    if (!next) return;
    current = encodeURIComponent(next.element.id).replaceAll("%2F", "/");
    mark(next.element);
    next.summary.focus();
    next.element.scrollIntoView({ block: "nearest" });
    remember();
  }

  async function copy(claim) {
    const text = claim.element.querySelector(`.source-text > [lang=${say("en", "zh-Hans")}]`);
    try {
      await navigator.clipboard.writeText(text.textContent);
    } catch {
      const source = claim.element.querySelector(".source-text");
      claim.details.open = source.open = true;
      getSelection().selectAllChildren(text);
      if (!document.execCommand("copy")) {
        said.textContent = say("Press Ctrl+C to copy what is selected.", "请按 Ctrl+C 复制选中的文字。");
        text.focus();
        return;
      }
    }
    said.textContent = "";
    said.textContent = say("Copied as Markdown.", "已复制为 Markdown。");
    claim.element.querySelector(".copy").classList.add("done");
    setTimeout(() => claim.element.querySelector(".copy").classList.remove("done"), 2000);
  }

  const actions = {
    j: () => step(1),
    k: () => step(-1),
    o: () => {
      const claim = claimOf(document.activeElement) ?? claimOf(document.querySelector(".current"));
      if (claim) claim.details.open = !claim.details.open;
    },
    c: () => {
      const claim = claimOf(document.activeElement) ?? claimOf(document.querySelector(".current"));
      if (claim) copy(claim);
    },
    "/": () => {
      query.focus();
      query.select();
      filters.scrollIntoView({ block: "nearest" });
    },
    "?": () => keys.showModal(),
  };

  const claimOf = (element) => claims.find((claim) => claim.element === element?.closest(".claim"));

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || keys.open) return;
    if (event.target.matches("input:not([type=checkbox], [type=radio])")) {
      if (event.key === "Escape") event.target.blur();
    } else if (Object.hasOwn(actions, event.key)) {
      event.preventDefault();
      actions[event.key]();
    }
  });
  filters.addEventListener("input", () => {
    show();
    if (document.getElementById(decoded(current))?.closest("[hidden]")) current = "";
    remember();
  });
  for (const radio of languages) {
    radio.addEventListener("change", () => {
      speak();
      show();
      remember();
    });
  }
  document.getElementById("claims").addEventListener("click", (event) => {
    if (event.target.closest(".copy")) copy(claimOf(event.target));
  });
  document.getElementById("reset").addEventListener("click", () => {
    reset();
    remember();
    query.focus();
  });
  document.getElementById("unfold").addEventListener("click", ({ currentTarget }) => {
    const unfold = currentTarget.getAttribute("aria-pressed") === "false";
    currentTarget.setAttribute("aria-pressed", unfold);
    for (const { details } of claims) details.open = unfold;
  });
  document.getElementById("help").addEventListener("click", actions["?"]);
  document.getElementById("close").addEventListener("click", () => keys.close());
  addEventListener("hashchange", go);
  addEventListener("beforeprint", () => {
    for (const { details } of claims) details.open = true;
  });
  query.dataset.en = query.placeholder;
  page.classList.add("scripted");
  filters.hidden = false;
  go();
})();
