// What pages do beyond links and forms: they show what happened meanwhile, count down, and flip switches in place.
// Nothing here writes HTML of its own: whatever is shown comes from the server, which escapes it.
(() => {
  "use strict";

  const blank = (node) => {
    const copy = node.cloneNode(true);
    for (const time of copy.querySelectorAll("time[data-ago], time[data-until]")) time.textContent = "";
    for (const details of copy.querySelectorAll("details[open]")) details.removeAttribute("open");
    for (const button of copy.querySelectorAll(".judging button")) button.removeAttribute("aria-disabled");
    copy.removeAttribute("class");
    return copy.outerHTML;
  };

  // What has the focus, or words that somebody typed, is not taken from under them.
  const isBusy = (node) => {
    const fields = [node, ...node.querySelectorAll("*")].filter((field) => field.matches("input[type=text], textarea"));
    return node.contains(document.activeElement) || fields.some((field) => field.value !== field.defaultValue);
  };

  // Around what is busy, all else is exchanged; what that leaves out is looked at again when the focus goes on.
  let isBehind = false;
  const mend = (own, fresh) => {
    if (blank(own) === blank(fresh)) return;
    if (!isBusy(own)) {
      own.replaceWith(document.importNode(fresh, true));
      return;
    }
    isBehind = true;
    const [olds, news] = [[...own.children], [...fresh.children]];
    if (olds.length === news.length) olds.forEach((old, at) => mend(old, news[at]));
  };

  // Where a person answers, what is answered elsewhere keeps its room, so that nothing below it moves.
  const settle = (own, isSettled) => {
    const words = own.querySelector(".overtaken");
    if (!words) return false;
    own.classList.toggle("settled", isSettled);
    words.hidden = !isSettled;
    return true;
  };

  // The children of a live part, by their ids: what is the same stays as it is, opened and focused as it was.
  const renew = (old, fresh) => {
    if (blank(old) === blank(fresh)) return false;
    const children = [...fresh.children];
    if (children.length === 0 || children.some((child) => !child.id)) {
      if (isBusy(old)) mend(old, fresh);
      else old.replaceChildren(...fresh.childNodes);
      return true;
    }
    const isQueue = old.hasAttribute("data-queue");
    const known = new Map([...old.children].map((child) => [child.id, child]));
    const ids = new Set(children.map((child) => child.id));
    for (const own of known.values()) {
      if (!ids.has(own.id) && !(isQueue && !document.hidden && settle(own, true))) own.remove();
    }
    let next = old.firstElementChild;
    for (const child of children) {
      const own = known.get(child.id);
      if (!own) {
        child.classList.add("fresh");
        old.insertBefore(document.importNode(child, true), isQueue ? null : next);
        continue;
      }
      settle(own, false);
      if (own === next) next = own.nextElementSibling;
      else if (!isQueue) old.insertBefore(own, next);
      mend(own, child);
    }
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

  document.addEventListener("focusout", () => {
    if (isBehind) setTimeout(look, 400);
    isBehind = false;
  });

  // An answer's button that came or moved less than a second ago takes no press: whoever pressed it aimed at another.
  const STEADY_MS = 1000;
  const MOVED_PX = 4;
  const places = new Map();
  let again = 0;
  const steady = () => {
    const now = performance.now();
    let wait = Infinity;
    for (const button of document.querySelectorAll(".judging button")) {
      const key = `${button.form.getAttribute("action")} ${button.value} ${button.form.elements.namedItem("id").value}`;
      const box = button.getBoundingClientRect();
      const [x, y] = [box.left + scrollX, box.top + scrollY];
      const known = places.get(key);
      const isThere = known && Math.abs(known.x - x) < MOVED_PX && Math.abs(known.y - y) < MOVED_PX;
      const since = isThere ? known.since : now;
      if (!isThere) places.set(key, { x, y, since });
      const rest = since + STEADY_MS - now;
      if (rest > 0) wait = Math.min(wait, rest);
      if (rest > 0 || button.closest(".settled")) button.setAttribute("aria-disabled", "true");
      else button.removeAttribute("aria-disabled");
    }
    clearTimeout(again);
    if (wait < Infinity) again = setTimeout(steady, wait + 10);
  };
  const isUnsteady = (pressed) => {
    const button = pressed.target.closest(".judging button");
    if (button) steady();
    return button !== null && button.getAttribute("aria-disabled") === "true";
  };
  // However long it is held down: what counts is when it was pressed. A press by key has no pointer, and a `detail` of 0.
  let isHasty = false;
  document.addEventListener("pointerdown", (pressed) => (isHasty = isUnsteady(pressed)), true);
  document.addEventListener(
    "click",
    (pressed) => {
      if (isUnsteady(pressed) || (isHasty && pressed.detail > 0)) pressed.preventDefault();
    },
    true,
  );

  // Room is kept for people who look.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) for (const card of document.querySelectorAll(".settled")) card.remove();
  });

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
    steady();
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
