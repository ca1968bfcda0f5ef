/** The colours are those of the dashboard, in light and dark as the system has it. */
export const docsStyle = `
:root { color-scheme: light; --bg: #f8f6f2; --surface: #fff; --surface-2: #f2efe9; --line: #e5e1d9; --line-2: #8b857a;
  --ink: #1d1b18; --ink-2: #46423b; --ink-3: #5f5a51; --accent: #2350b8; --good: #1c6b36; --bad: #b3261e; --warn: #96430a; }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark; --bg: #131416; --surface: #1a1c1f; --surface-2: #23262a;
  --line: #2c2f34; --line-2: #80858e; --ink: #efece5; --ink-2: #c6c2b9; --ink-3: #a8a499; --accent: #8fb2ff; --good: #7fd6a0;
  --bad: #ff9088; --warn: #ffb27a; } }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 13rem minmax(0, 1fr); background: var(--bg); color: var(--ink);
  font: 14px/1.5 system-ui, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.25rem 1rem; border-right: 1px solid var(--line); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .2rem 0; }
main { padding: 1.25rem 2rem 6rem; max-width: 64rem; min-width: 0; }
h1 { font-size: 24px; margin: 0 0 .5rem; } h2 { font-size: 18px; margin: 2rem 0 .5rem; } h4 { font-size: 13px; margin: 1rem 0 .35rem; }
h1 small { font-size: 14px; font-weight: 400; color: var(--ink-3); }
a { color: var(--accent); }
code, pre { font: 12.5px/1.5 ui-monospace, "Liberation Mono", monospace; }
small { color: var(--ink-3); } .need { color: var(--warn); }
.op { border: 1px solid var(--line); border-radius: 6px; background: var(--surface); margin: .4rem 0; }
.op > summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; padding: .5rem .75rem; cursor: pointer; list-style: none; }
.op > summary::-webkit-details-marker { display: none; }
.op > summary:hover { background: var(--surface-2); }
.op[open] > summary { border-bottom: 1px solid var(--line); }
.op__body { padding: .25rem .75rem 1rem; }
.verb { font-weight: 700; font-size: 11px; min-width: 3.6rem; color: var(--ink-2); }
.verb--get { color: var(--accent); } .verb--post { color: var(--good); } .verb--delete { color: var(--bad); }
.verb--put, .verb--patch { color: var(--warn); }
.path { overflow-wrap: anywhere; } .what { color: var(--ink-2); }
.scope { color: var(--ink-2); margin: .5rem 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); font-weight: 400; }
thead th { color: var(--ink-3); font-size: 12px; }
input, textarea, button { color: inherit; background: var(--surface); border: 1px solid var(--line-2); border-radius: 4px; padding: .3rem .5rem; font: inherit; }
textarea, .try input { font: 12.5px/1.5 ui-monospace, "Liberation Mono", monospace; }
button { background: var(--ink); color: var(--bg); border-color: var(--ink); cursor: pointer; padding: .3rem .9rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.who { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .6rem .75rem; border: 1px solid var(--line); border-radius: 6px; background: var(--surface); }
.who input { min-width: 16rem; }
.try { margin-top: 1rem; padding: .25rem .75rem .75rem; border-radius: 6px; background: var(--surface-2); }
.fields { display: grid; grid-template-columns: minmax(8rem, 14rem) minmax(0, 1fr); gap: .4rem .75rem; align-items: start; }
.fields input, .fields textarea { width: 100%; }
.send { margin: .6rem 0 0; }
.status--good { color: var(--good); } .status--bad { color: var(--bad); }
pre { overflow: auto; max-height: 26rem; margin: .6rem 0 0; padding: .6rem; border: 1px solid var(--line); border-radius: 4px; background: var(--surface); }
@media (max-width: 700px) {
  body { display: block; } main { padding: 1rem; }
  nav { position: static; height: auto; border: 0; border-bottom: 1px solid var(--line); }
  nav ul { display: flex; flex-wrap: wrap; gap: 0 1rem; }
  .fields { grid-template-columns: minmax(0, 1fr); } .who input { min-width: 0; width: 100%; }
}
`
