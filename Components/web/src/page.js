// What pages do beyond links and forms: they show what happened meanwhile, count down, and flip switches in place.
// Nothing here writes HTML of its own: whatever is shown comes from the server, which escapes it.
(() => {
  "use strict";

  const blank = (node) => {
    const copy = node.cloneNode(true);
    for (const time of copy.querySelectorAll("time[data-ago], time[data-until]")) time.textContent = "";
    for (const details of copy.querySelectorAll("details[open]")) details.removeAttribute("open");
    copy.removeAttribute("class");
    return copy.outerHTML;
  };

  // What a person is about to fill in is not taken from under them.
  const isBusy = (node) => {
    const field = document.activeElement;
    const typed = [...node.querySelectorAll("input[type=text], textarea")].some((input) => input.value !== input.defaultValue);
    return typed || (node.contains(field) && field.matches("input, textarea, select"));
  };

  // The children of a live part, by their ids: what is the same stays as it is, opened and focused as it was.
  const renew = (old, fresh) => {
    if (blank(old) === blank(fresh)) return false;
    const children = [...fresh.children];
    if (children.length === 0 || children.some((child) => !child.id)) {
      if (!isBusy(old)) old.replaceChildren(...fresh.childNodes);
      return true;
    }
    const known = new Map([...old.children].map((child) => [child.id, child]));
    const next = children.map((child) => {
      const own = known.get(child.id);
      if (own && (blank(own) === blank(child) || isBusy(own))) return own;
      if (!own) child.classList.add("fresh");
      return document.importNode(child, true);
    });
    old.replaceChildren(...next);
    return true;
  };

  const show = (text) => {
    const page = new DOMParser().parseFromString(text, "text/html");
    let moved = false;
    for (const fresh of page.querySelectorAll("[data-live][id]")) {
      const old = document.getElementById(fresh.id);
      if (old) moved = renew(old, fresh) || moved;
    }
    if (moved) tick();
    return page;
  };

  const say = (words, state) => {
    const live = document.getElementById("live");
    if (!live) return;
    live.dataset.state = state;
    const told = live.querySelector(".words");
    if (told.textContent !== words) told.textContent = words;
  };

  // At most one look at a time, and at most three in a second, however much happens.
  let wanted = false;
  let looking = false;
  const look = async () => {
    if (looking) {
      wanted = true;
      return;
    }
    looking = true;
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" }, credentials: "same-origin" });
      if (answer.ok) show(await answer.text());
    } catch {
      say("Not connected: trying again", "off");
    }
    await new Promise((done) => setTimeout(done, 300));
    looking = false;
    if (wanted) {
      wanted = false;
      look();
    }
  };

  const stream = document.body.dataset.stream;
  const isLive = document.querySelector("[data-live]") !== null;
  if (stream && isLive && "EventSource" in window) {
    const source = new EventSource(stream);
    // What was written between the page and the stream is on neither.
    source.addEventListener("open", () => {
      say("Live", "on");
      look();
    });
    source.addEventListener("error", () => say("Not connected: trying again", "off"));
    for (const name of ["message", "event", "watched", "lagged", "reset"]) source.addEventListener(name, look);
    addEventListener("pagehide", () => source.close());
  }

  const left = (ms) => {
    const seconds = Math.floor(ms / 1000);
    if (seconds < 0) return "expired";
    if (seconds < 60) return `${seconds} s left`;
    const pad = (number) => String(number).padStart(2, "0");
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${pad(seconds % 60)} s left`;
    return `${Math.floor(seconds / 3600)} h ${pad(Math.floor(seconds / 60) % 60)} min left`;
  };

  const since = (ms) => {
    const seconds = Math.floor(ms / 1000);
    if (seconds < 5) return "just now";
    if (seconds < 60) return `${seconds} s ago`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
    if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
    return null;
  };

  const tick = () => {
    const now = Date.now();
    for (const time of document.querySelectorAll("time[data-until]")) time.textContent = left(Date.parse(time.dateTime) - now);
    for (const time of document.querySelectorAll("time[data-ago]")) {
      const words = since(now - Date.parse(time.dateTime));
      if (words && time.textContent !== words) time.textContent = words;
    }
  };
  tick();
  setInterval(tick, 1000);

  // A switch is flipped without leaving its page; where that fails, the form is sent as any form.
  document.addEventListener("submit", async (sent) => {
    const form = sent.target;
    const button = form.querySelector("button[role=switch]");
    if (!button) return;
    sent.preventDefault();
    try {
      const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), credentials: "same-origin" });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById(button.id)?.closest(".controls");
      const old = button.closest(".controls");
      if (!fresh || !old) throw new Error("the switch is gone");
      old.replaceChildren(...document.importNode(fresh, true).childNodes);
      const said = page.querySelector(".notice.done");
      const shown = document.querySelector("#main > .notice.done");
      if (shown) shown.remove();
      if (said) document.getElementById("main").prepend(document.importNode(said, true));
      document.getElementById(button.id)?.focus();
    } catch {
      form.submit();
    }
  });

  // A line that an address names is open.
  const openNamed = () => {
    const named = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const details = named && named.closest("details");
    if (details) details.open = true;
  };
  addEventListener("hashchange", openNamed);
  openNamed();
})();
