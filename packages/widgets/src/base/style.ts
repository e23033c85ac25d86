/**
 * The look of all widgets. Pages change it by the variables without `_`, and by parts. Logical properties follow the direction of the
 * language; colours follow `color-scheme` of the page.
 */
export const BASE_LOOK = `
:host {
  display: block;
  --_accent: var(--laurel-accent, light-dark(#2c6e49, #6bb388));
  --_on-accent: var(--laurel-on-accent, light-dark(#ffffff, #10241a));
  --_surface: var(--laurel-surface, light-dark(#ffffff, #1b211e));
  --_line: var(--laurel-line, light-dark(#e2e7e3, #343c38));
  --_tint: var(--laurel-tint, light-dark(#e6f1ea, #26352d));
  --_text: var(--laurel-text, light-dark(#1b211e, #e4e8e5));
  --_quiet: var(--laurel-quiet, light-dark(#5b665f, #b0b8b3));
  --_radius: var(--laurel-radius, 12px);
  --_space: var(--laurel-space, 16px);
}
:host([hidden]) { display: none; }
:host([scheme='light']) { color-scheme: light; }
:host([scheme='dark']) { color-scheme: dark; }
:host([scheme='auto']) { color-scheme: light dark; }
* { box-sizing: border-box; margin: 0; }
section {
  padding: var(--_space);
  border: 1px solid var(--_line);
  border-radius: var(--_radius);
  background: var(--_surface);
  color: var(--_text);
  font-family: var(--laurel-font, inherit);
  font-size: var(--laurel-font-size, 1rem);
  line-height: 1.45;
  overflow-wrap: anywhere;
}
header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 4px 12px; }
h3 { font-size: .875em; font-weight: 600; color: var(--_quiet); }
p + p, header + * { margin-block-start: 8px; }
ul { list-style: none; padding: 0; }
.quiet { color: var(--_quiet); font-size: .875em; }
.figure { font-size: 2em; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums; }
.figure small { font-size: .5em; font-weight: 400; color: var(--_quiet); }
.bar { block-size: 8px; margin-block: 10px 6px; border-radius: 4px; background: var(--_tint); overflow: hidden; }
.bar > i {
  display: block;
  block-size: 100%;
  inline-size: calc(var(--share) * 100%);
  border-radius: inherit;
  background: var(--_accent);
  transition: inline-size .4s ease-out;
}
.status:not(:empty) {
  display: flex;
  gap: 8px;
  margin-block-start: 12px;
  padding: 8px 10px;
  border-radius: 8px;
  background: var(--_tint);
  font-size: .875em;
}
.status:not(:empty)::before { content: ''; flex: none; inline-size: 8px; block-size: 8px; margin-block-start: .4em;
  border: 2px solid currentColor; border-radius: 50%; }
.heard { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skeleton {
  block-size: 2.4em; margin-block-start: 8px; border-radius: 8px; background: var(--_tint); animation: wait 1.6s infinite alternate;
}
@keyframes wait { to { opacity: .4; } }
:focus-visible { outline: 2px solid var(--_accent); outline-offset: 2px; }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
@media (forced-colors: active) {
  .bar { border: 1px solid CanvasText; }
  .bar > i { background: Highlight; forced-color-adjust: none; }
}
`;
