// Put into each page by `inferdex serve`, never part of a published site: reloads the page when
// the site has been rebuilt, says that it is being built, and shows over the page why a build failed or what it
// left out.
// Within the page's content security policy: styles are set through CSSOM, text as text.
(() => {
  "use strict";
  const build = new URL(document.currentScript.src).searchParams.get("build");
  const address = "/_inferdex/events?build=" + encodeURIComponent(build);
  let events = null;
  let later = 0;

  function connect() {
    disconnect();
    const source = new EventSource(address);
    events = source;
    source.addEventListener("reload", () => {
      disconnect();
      location.reload();
    });
    source.addEventListener("building", building);
    source.addEventListener("build-error", (e) => show(JSON.parse(e.data), false));
    source.addEventListener("mistakes", (e) => show(JSON.parse(e.data), true));
    source.addEventListener("error", () => {
      // The browser tries again by itself, except after an answer it takes for a final one.
      if (source === events && source.readyState === EventSource.CLOSED) {
        later = setTimeout(connect, 1000);
      }
    });
  }

  function disconnect() {
    clearTimeout(later);
    if (events) events.close();
    events = null;
  }

  // A browser opens six connections to a host, for all tabs together: only tabs that are seen
  // may hold one. The server tells a page that comes back whether it is out of date.
  function follow() {
    if (document.visibilityState === "hidden") disconnect();
    else if (!events) connect();
  }
  document.addEventListener("visibilitychange", follow);
  addEventListener("pagehide", disconnect);
  addEventListener("pageshow", (e) => { if (e.persisted) follow(); });

  let overlay = null; // {host, title, note, text}, made at the first error
  let badge = null; // shown while a build is under way
  let dismissed = null; // the error its reader has put away

  // The old site stays while the new one is made.
  function building() {
    if (document.getElementById("inferdex-build-error")) return;
    if (!badge) {
      badge = document.createElement("inferdex-badge");
      const shadow = badge.attachShadow({ mode: "open" });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`
        :host { all: initial; color-scheme: light dark; position: fixed; inset: auto 1rem 1rem auto; z-index: 2147483646; }
        p { margin: 0; padding: .25rem .75rem; background: Canvas; color: CanvasText; border: 1px solid currentColor;
          border-radius: 1rem; font: .875rem/1.5 system-ui, sans-serif; }
        @media print { :host { display: none; } }
      `);
      shadow.adoptedStyleSheets = [sheet];
      const text = document.createElement("p");
      text.setAttribute("role", "status");
      text.textContent = "building…";
      shadow.append(text);
    }
    if (!badge.isConnected) document.body.append(badge);
  }

  function show(message, built) {
    badge?.remove();
    const own = document.getElementById("inferdex-build-error");
    if (own) {
      own.textContent = message;
      return;
    }
    if (message === dismissed) return;
    overlay ??= makeOverlay();
    overlay.text.textContent = message;
    overlay.title.textContent = built ? "Something was left out" : "The site could not be built";
    overlay.note.textContent = built
      ? "The site behind this is built without it. It is built again when the mistake is mended."
      : "Behind this is the last version that could. It reloads when the error is gone.";
    if (!overlay.host.isConnected) document.body.append(overlay.host);
  }

  function dismiss() {
    if (!overlay || !overlay.host.isConnected) return;
    dismissed = overlay.text.textContent;
    overlay.host.remove();
  }

  function makeOverlay() {
    const host = document.createElement("inferdex-overlay");
    const shadow = host.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      :host { all: initial; color-scheme: light dark; position: fixed; inset: auto 0 0 0; z-index: 2147483647; }
      section { box-sizing: border-box; max-height: 60vh; overflow: auto; padding: 1rem 1.5rem;
        background: Canvas; color: CanvasText; border-top: 4px solid #c62828;
        box-shadow: 0 0 1rem #0006; font: 1rem/1.5 system-ui, sans-serif; }
      header { display: flex; gap: 1rem; align-items: start; justify-content: space-between; }
      h2 { margin: 0; font-size: 1.125rem; }
      p { margin: 0; }
      pre { margin: .75rem 0 0; white-space: pre-wrap; overflow-wrap: anywhere; font: .875rem/1.5 ui-monospace, monospace; }
      button { font: inherit; min-height: 2rem; padding: 0 .75rem; }
      @media print { :host { display: none; } }
    `);
    shadow.adoptedStyleSheets = [sheet];

    const section = document.createElement("section");
    section.setAttribute("role", "alert");
    const head = document.createElement("header");
    const words = document.createElement("div");
    const title = document.createElement("h2");
    const note = document.createElement("p");
    const close = document.createElement("button");
    close.type = "button";
    close.textContent = "Dismiss";
    close.addEventListener("click", dismiss);
    const text = document.createElement("pre");
    words.append(title, note);
    head.append(words, close);
    section.append(head, text);
    shadow.append(section);
    addEventListener("keydown", (e) => { if (e.key === "Escape") dismiss(); });
    return { host, title, note, text };
  }

  follow();
})();
