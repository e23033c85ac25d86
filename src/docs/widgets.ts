// The page `/docs/widgets`: shows every widget with the choices of a visitor, and the text to copy.

/** Defined by the script of the widgets. */
declare const Laurel: { connect(settings: { token: () => string; url: string }): void };

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const form = byId<HTMLFormElement>('choices');
const widgets = [...byId('shown').querySelectorAll<HTMLElement>('*')];

/** The account of the files beside this page. */
const SAMPLE = new URL('/docs/sample', location.origin).href;

form.addEventListener('input', show);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  connect();
});
byId('copy').addEventListener('click', () => void navigator.clipboard.writeText(byId('text').textContent));
connect();
show();

/** Shows the account of the token, or else the sample. */
function connect(): void {
  const token = byId<HTMLTextAreaElement>('token').value.trim();
  Laurel.connect(token === '' ? { token: () => 'sample', url: SAMPLE } : { token: () => token, url: location.origin });
}

function show(): void {
  const choices = new FormData(form);
  const chosen = (name: string) => (choices.get(name) ?? '') as string;
  const [lang, scheme, width] = [chosen('lang'), chosen('scheme'), chosen('width')];
  const accent = choices.has('own') ? chosen('accent') : undefined;
  byId('shown').style.maxInlineSize = `${width}px`;
  byId('width-now').textContent = `${width} px`;
  for (const widget of widgets) {
    widget.lang = lang;
    widget.setAttribute('scheme', scheme);
    widget.hidden = chosen('widget') !== '' && chosen('widget') !== widget.localName;
    if (accent === undefined) widget.style.removeProperty('--laurel-accent');
    else widget.style.setProperty('--laurel-accent', accent);
  }
  byId('text').textContent = [
    `<script src="${location.origin}/widgets.js" defer></script>`,
    ...(accent === undefined ? [] : [`<style>:root { --laurel-accent: ${accent}; }</style>`]),
    ...widgets
      .filter(({ hidden }) => !hidden)
      .map(({ localName }) => `<${localName} lang="${lang}" scheme="${scheme}"></${localName}>`),
  ].join('\n');
}
