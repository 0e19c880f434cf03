/**
 * The look of the devtools. It lives in a shadow root, so that neither the app's style sheets nor these reach the other side, and is
 * added as a constructed style sheet, which a Content Security Policy without `unsafe-inline` allows.
 */
const CSS = `
:host {
  all: initial;
  color-scheme: inherit;
  pointer-events: auto;
  --text: light-dark(#16181d, #ebedf2);
  --muted: light-dark(#565b68, #a5abb9);
  --surface: light-dark(#ffffff, #1b1d23);
  --sunken: light-dark(#f1f1ee, #14161a);
  --line: light-dark(#d9d9d4, #33363f);
  --field-line: light-dark(#7d808a, #7f8593);
  --accent: light-dark(#3547c4, #a3b5ff);
  --bad: light-dark(#a8231b, #ff9d94);
  --caution: light-dark(#7a4a00, #f0bd66);
  --good: light-dark(#14643a, #74d29b);
}
* { box-sizing: border-box; }
.toggle, .panel {
  position: fixed;
  z-index: 2147483000;
  font: 0.8125rem/1.45 ui-sans-serif, system-ui, sans-serif;
  color: var(--text);
}
.toggle {
  /* Physical, because the vertical text would turn logical sides. */
  bottom: 30%;
  left: 0;
  padding: 0.6rem 0.2rem;
  border: 1px solid var(--field-line);
  border-left: 0;
  border-radius: 0 0.5rem 0.5rem 0;
  font-size: 0.75rem;
  writing-mode: vertical-rl;
  background: var(--surface);
  cursor: pointer;
}
.panel {
  inset-inline: 0;
  inset-block-end: 0;
  display: flex;
  flex-direction: column;
  height: var(--handrail-devtools-height);
  border-block-start: 1px solid var(--field-line);
  background: var(--surface);
  box-shadow: 0 -0.5rem 1.5rem rgb(0 0 0 / 0.14);
}
.head, .filters {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.35rem;
  padding: 0.4rem 0.6rem;
  border-block-end: 1px solid var(--line);
}
h2 { margin: 0 0.4rem 0 0; font-size: 0.875rem; }
.room { flex: 1; }
button, input, select { font: inherit; color: inherit; }
button, select, label, summary { cursor: pointer; }
button:not(.toggle), select, input:not([type="checkbox"]) {
  min-height: 1.75rem;
  padding: 0.1rem 0.55rem;
  border: 1px solid var(--field-line);
  border-radius: 0.4rem;
  background: var(--surface);
}
button[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--surface); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.list:focus-visible { outline-offset: -2px; }
label { display: inline-flex; align-items: center; gap: 0.35rem; }
input[type="number"] { width: 6rem; }
input[type="search"] { flex: 1; min-width: 7rem; max-width: 20rem; }
.list { flex: 1; min-height: 0; overflow: auto; background: var(--sunken); }
ol { margin: 0; padding: 0; list-style: none; font: 0.75rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
li { border-block-end: 1px solid var(--line); }
.row { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 0.6rem; padding: 0.15rem 0.7rem; }
.time { color: var(--muted); font-variant-numeric: tabular-nums; min-width: 4.5rem; }
.kind { font-weight: 600; }
.detail { flex: 1; min-width: 9rem; color: var(--muted); overflow-wrap: anywhere; }
[data-look="bad"] .kind, .error { color: var(--bad); }
[data-look="caution"] .kind { color: var(--caution); }
[data-look="good"] .kind { color: var(--good); }
[data-look="out"] .kind { color: var(--accent); }
pre { margin: 0; padding: 0.3rem 0.7rem 0.6rem; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
.life { margin: 0; padding: 0 0.7rem 0.3rem; color: var(--muted); }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.3rem 1rem; margin: 0; padding: 0.7rem; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
.empty, .note { margin: 0; padding: 0.6rem 0.7rem; color: var(--muted); }
.faults { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; padding: 0.7rem; }
[hidden] { display: none; }
@media (max-width: 40rem) {
  h2 { flex-basis: 100%; }
  button, select, input:not([type="checkbox"]) { min-height: 2.25rem; }
}
`;

/** Gives a shadow root the look of the devtools. Where the browser constructs no style sheets, a style element takes its place. */
export function addStyles(root: ShadowRoot): void {
  if (root.adoptedStyleSheets?.length || root.querySelector('style')) return;
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(CSS);
    root.adoptedStyleSheets = [sheet];
  } catch {
    const style = root.ownerDocument.createElement('style');
    style.textContent = CSS;
    root.append(style);
  }
}
