"use strict";

// The address holds the whole view: `#<claim>?kind=fail&target=vllm&q=words&lang=zh`, each part optional.
(() => {
  const page = document.documentElement;
  const filters = document.getElementById("filters");
  const query = document.getElementById("q");
  const claims = [...document.querySelectorAll(".claim")].map((element) => ({
    element,
    words: element.textContent.toLowerCase(),
  }));
  const groups = [...document.querySelectorAll(".section, .run")];
  const boxes = [...filters.querySelectorAll("input[type=checkbox]")];
  const languages = [...filters.querySelectorAll("input[type=radio]")];
  let current = "";

  const chosen = (name) => boxes.filter((box) => box.name === name && box.checked).map((box) => box.value);

  function show() {
    const kinds = chosen("kind");
    const targets = chosen("target");
    const needsPerson = chosen("only").length > 0;
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const claim of claims) {
      const data = claim.element.dataset;
      const matches =
        (!kinds.length || kinds.includes(data.kind)) &&
        (!targets.length || targets.includes(data.target)) &&
        (!needsPerson || "attention" in data) &&
        words.every((word) => claim.words.includes(word));
      claim.element.hidden = !matches;
      count += matches;
    }
    for (const group of groups) group.hidden = !group.querySelector(".claim:not([hidden])");
    for (const link of document.querySelectorAll(".contents li a")) {
      link.classList.toggle("dim", document.getElementById(decoded(link.hash.slice(1)))?.hidden ?? false);
    }
    page.dataset.lang = languages.find((radio) => radio.checked).value;
    page.lang = page.dataset.lang === "zh" ? "zh-Hans" : "en";
    document.getElementById("shown").textContent =
      count === claims.length ? `${count} ${count === 1 ? "claim" : "claims"}` : `${count} of ${claims.length} claims`;
    document.getElementById("empty").hidden = count > 0;
    document.getElementById("reset").hidden = !state().toString();
  }

  function state() {
    const said = new URLSearchParams();
    for (const box of boxes) if (box.checked) said.append(box.name, box.value);
    if (query.value) said.set("q", query.value);
    const language = languages.find((radio) => radio.checked).value;
    if (language !== "en") said.set("lang", language);
    return said;
  }

  function restore(said) {
    for (const box of boxes) box.checked = said.getAll(box.name).includes(box.value);
    query.value = said.get("q") ?? "";
    const language = said.get("lang") ?? "en";
    for (const radio of languages) radio.checked = radio.value === language;
    if (!languages.some((radio) => radio.checked)) languages[0].checked = true;
  }

  function remember() {
    const said = state().toString();
    history.replaceState(null, "", `#${current}${said && `?${said}`}`);
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  function go() {
    const [id, said] = location.hash.slice(1).split(/\?(.*)/s);
    if (said !== undefined) restore(new URLSearchParams(said));
    show();
    current = id;
    document.querySelector(".current")?.classList.remove("current");
    const element = id && document.getElementById(decoded(id));
    if (element) {
      if (element.closest("[hidden]")) {
        restore(new URLSearchParams());
        show();
      }
      if (element.matches(".claim")) {
        element.classList.add("current");
        element.querySelector("details").open = true;
      }
      element.scrollIntoView();
      element.tabIndex = -1;
      element.focus({ preventScroll: true });
    }
    remember();
  }

  filters.addEventListener("input", () => {
    show();
    if (document.getElementById(decoded(current))?.closest("[hidden]")) current = "";
    remember();
  });
  document.getElementById("reset").addEventListener("click", () => {
    restore(new URLSearchParams());
    show();
    remember();
    query.focus();
  });
  document.getElementById("unfold").addEventListener("click", (event) => {
    const unfold = event.target.getAttribute("aria-pressed") === "false";
    event.target.setAttribute("aria-pressed", unfold);
    for (const { element } of claims) element.querySelector("details").open = unfold;
  });
  addEventListener("hashchange", go);
  addEventListener("beforeprint", () => {
    for (const { element } of claims) element.querySelector("details").open = true;
  });
  filters.hidden = false;
  go();
})();
