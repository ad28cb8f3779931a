// What is wrong with the page as it stands, each fault a line of words. The functions only look,
// but for open() and focus(), which say so.
(() => {
  // name says which element it is, short enough for a message.
  const name = (el) => {
    const parts = [];
    for (let e = el; e && e !== document.body && parts.length < 4; e = e.parentElement) {
      const cls = typeof e.className === "string" ? e.className : e.className.baseVal;
      parts.unshift(e.localName + (e.id ? "#" + e.id : "") + (cls ? "." + cls.trim().split(/\s+/).join(".") : ""));
      if (e.id) break;
    }
    const text = (el.textContent || "").trim().replace(/\s+/g, " ").slice(0, 40);
    return parts.join(" > ") + (text ? ' "' + text + '"' : "");
  };
  const px = (n) => Math.round(n * 10) / 10;
  const shown = (el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: false });

  // inScroller tells whether an element lies in a part of the page that scrolls by itself.
  const inScroller = (el) => {
    for (let e = el.parentElement; e && e !== document.documentElement; e = e.parentElement) {
      const o = getComputedStyle(e).overflowX;
      if (o !== "visible") return true;
    }
    return false;
  };

  return {
    // open opens every details element, whose content is looked at too.
    open() {
      for (const d of document.querySelectorAll("details")) d.open = true;
      return [];
    },

    // sideways: a page is never wider than the window.
    sideways(limit) {
      const root = document.documentElement;
      const wide = limit || root.clientWidth;
      if (root.scrollWidth <= wide) return [];
      const guilty = [...document.body.querySelectorAll("*")]
        .filter((e) => e.getBoundingClientRect().right > wide + 0.5 && !inScroller(e))
        .slice(0, 3).map((e) => name(e) + " ends at " + px(e.getBoundingClientRect().right));
      return ["the page is " + root.scrollWidth + " px wide in " + wide + " px: " + guilty.join("; ")];
    },

    // charts: no two texts of a chart lie on each other, and none leaves the picture.
    charts() {
      const faults = [];
      // A box of text is as high as its tallest letters, and a hair wider than its ink.
      const slack = 1;
      for (const svg of document.querySelectorAll("svg")) {
        const frame = svg.getBoundingClientRect();
        if (!frame.width || !shown(svg)) continue;
        const texts = [...svg.querySelectorAll("text")].filter((t) => t.textContent.trim() && shown(t))
          .map((el) => ({ el, box: el.getBoundingClientRect() })).filter((t) => t.box.width > 0);
        for (const { el, box } of texts) {
          if (box.left < frame.left - slack || box.right > frame.right + slack || box.top < frame.top - slack || box.bottom > frame.bottom + slack)
            faults.push("text leaves its chart: " + name(el) + " [" + [box.left - frame.left, box.top - frame.top, box.right - frame.right, box.bottom - frame.bottom].map(px) + "]");
        }
        for (let i = 0; i < texts.length; i++) {
          for (let j = i + 1; j < texts.length; j++) {
            const a = texts[i].box, b = texts[j].box;
            const w = Math.min(a.right, b.right) - Math.max(a.left, b.left), h = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            // Lines of text stand closer than the boxes of their font: a fifth of the height is no overlap of ink.
            if (w > slack && h > Math.max(slack, 0.22 * Math.min(a.height, b.height)))
              faults.push("texts of a chart overlap by " + px(w) + " x " + px(h) + " px: " + name(texts[i].el) + " and " + name(texts[j].el));
          }
        }
      }
      return faults.length > 8 ? faults.slice(0, 8).concat("and " + (faults.length - 8) + " more in charts") : faults;
    },

    // shift: nothing moved while the page loaded. The observer was put in place before it. Of a long
    // table on a busy machine the first rows are painted before the last have come, and its columns
    // may then move by a hair: what is written 0.00 is none.
    shift() {
      return window.__shift >= 0.005 ? ["the layout shifted by " + window.__shift + ": " + window.__shifted.slice(0, 3).join("; ")] : [];
    },

    // focus gives the focus to elements one after the other: each must be seen and say that it has it.
    focus(most) {
      const faults = [];
      let all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
        .filter((e) => e.tabIndex >= 0 && !e.disabled && shown(e));
      const step = Math.max(1, all.length / most);
      const some = [];
      for (let i = 0; i < all.length; i += step) some.push(all[Math.floor(i)]);
      // A mark of a chart may lie below one of the same value; its ring then says which has the focus.
      const ringed = (e) => { const r = e.ownerSVGElement && e.ownerSVGElement.lastElementChild; return !!r && r.classList.contains("ring") && r.checkVisibility(); };
      const look = (e) => { const s = getComputedStyle(e); return s.outlineStyle + s.outlineWidth + s.outlineColor + s.boxShadow + s.backgroundColor + s.textDecoration + s.borderColor; };
      for (const el of some) {
        if (document.activeElement) document.activeElement.blur();
        const before = look(el);
        el.focus();
        if (document.activeElement !== el) { faults.push("does not take the focus: " + name(el)); continue; }
        const s = getComputedStyle(el);
        if (look(el) === before && (s.outlineStyle === "none" || parseFloat(s.outlineWidth) === 0)) faults.push("focus is not shown: " + name(el));
        const rects = [...el.getClientRects()].filter((r) => r.width && r.height);
        const seen = rects.some((r) => {
          const l = Math.max(r.left, 0), t = Math.max(r.top, 0), b = Math.min(r.bottom, innerHeight), w = Math.min(r.right, innerWidth);
          if (l >= w || t >= b) return false;
          const xs = [l + 1, (l + w) / 2, w - 1], ys = [t + 1, (t + b) / 2, b - 1];
          return xs.some((x) => ys.some((y) => { const at = document.elementFromPoint(x, y); return at && (el === at || ringed(el) || el.contains(at) || at.contains(el) && at !== document.body && at !== document.documentElement); }));
        });
        if (!seen) faults.push("has the focus and is hidden: " + name(el) + " at " + rects.slice(0, 1).map((r) => [r.left, r.top, r.width, r.height].map(px)));
      }
      if (document.activeElement) document.activeElement.blur();
      scrollTo(0, 0);
      return faults.length > 8 ? faults.slice(0, 8).concat("and " + (faults.length - 8) + " more with focus") : faults;
    },

    // paper: what is folded away on the screen is printed.
    paper() {
      const faults = [];
      for (const d of document.querySelectorAll("details")) {
        if (!d.checkVisibility()) continue; // what leads elsewhere is not printed
        const content = [...d.children].filter((e) => e.localName !== "summary" && getComputedStyle(e).display !== "none");
        if (content.length && !content.some((e) => e.checkVisibility() && e.getBoundingClientRect().height > 0)) faults.push("not printed: " + name(d));
      }
      for (const e of document.querySelectorAll("main *")) {
        const s = getComputedStyle(e);
        if (s.overflowX !== "visible" && s.overflowX !== "clip" && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1 && shown(e)) faults.push("cut on paper: " + name(e) + " is " + e.scrollWidth + " px wide in " + e.clientWidth);
      }
      for (const table of document.querySelectorAll("main table")) {
        if (!shown(table)) continue;
        if (getComputedStyle(table).display !== "table") faults.push("a list on paper: " + name(table));
        for (const cell of table.querySelectorAll("th, td")) {
          const size = parseFloat(getComputedStyle(cell).fontSize);
          const larger = [...cell.querySelectorAll("*")].find((e) => !e.closest("svg") && shown(e) && parseFloat(getComputedStyle(e).fontSize) > size + 0.1);
          if (larger) { faults.push("larger than its cell on paper: " + name(larger)); break; }
        }
      }
      return faults.slice(0, 8);
    },
  };
})()
