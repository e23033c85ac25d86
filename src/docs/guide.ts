import MiniSearch, { type SearchResult } from 'minisearch';
import { SEARCH_OPTIONS } from './search-options.ts';

/** The console uses the same key, so that both are light or dark together. */
const SCHEME = 'laurel.colour-scheme';

/** The key of the chosen language. */
const TAB = 'laurel.docs-tab';

/** The most sections in a result. */
const FOUND_MAX = 12;

const html = document.documentElement;
const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const dialog = byId<HTMLDialogElement>('search');
const words = byId<HTMLInputElement>('words');
const found = byId('found');
const count = byId('count');

/** The search index, loaded at the first search. */
let index: Promise<MiniSearch> | undefined;

offerSearch();
offerSchemes();
offerMenu();
offerCopies();
keepTabs();
followScrolling();

function offerSearch(): void {
  const button = byId('open-search');
  button.hidden = false;
  button.addEventListener('click', openSearch);
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement;
    const asked = (event.key === '/' && !typing) || (event.key === 'k' && (event.metaKey || event.ctrlKey));
    if (!asked || dialog.open) return;
    event.preventDefault();
    openSearch();
  });
  words.addEventListener('input', () => void search());
  words.addEventListener('keydown', (event) => {
    // Enter would close the dialog; here it opens the first result.
    if (event.key === 'Enter') {
      event.preventDefault();
      found.querySelector('a')?.click();
    }
    if (event.key === 'ArrowDown') moveTo(event, found.querySelector('a'));
  });
  found.addEventListener('keydown', (event) => {
    const item = (event.target as Element).closest('li');
    if (event.key === 'ArrowDown') moveTo(event, item?.nextElementSibling?.querySelector('a'));
    if (event.key === 'ArrowUp') moveTo(event, item?.previousElementSibling?.querySelector('a') ?? words);
  });
  // A link to a section of the same page does not load a page, so the dialog must close.
  found.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a')) dialog.close();
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
}

function moveTo(event: Event, element: HTMLElement | null | undefined): void {
  event.preventDefault();
  element?.focus();
}

function openSearch(): void {
  dialog.showModal();
  words.select();
  void load();
}

function load(): Promise<MiniSearch> {
  index ??= fetch(document.body.dataset['index'] ?? '')
    .then((answer) => answer.text())
    .then((json) => MiniSearch.loadJSON(json, SEARCH_OPTIONS));
  return index;
}

async function search(): Promise<void> {
  const asked = words.value;
  const loaded = await load();
  // The reader may have typed another query meanwhile.
  if (asked !== words.value) return;
  const results = loaded.search(asked);
  const all = results.length > 0 ? results : loaded.search(asked, { combineWith: 'OR' });
  found.replaceChildren(...all.slice(0, FOUND_MAX).map(resultItem));
  count.textContent = asked.trim() === '' ? '' : all.length === 0 ? 'Nothing was found.' : `${all.length} found`;
}

function resultItem({ id, title, page, words: text }: SearchResult): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = String(id);
  link.append(element('strong', title), element('small', page), element('span', text));
  item.append(link);
  return item;
}

function element(name: string, text: unknown): HTMLElement {
  const made = document.createElement(name);
  made.textContent = String(text);
  return made;
}

function offerSchemes(): void {
  const button = byId('scheme');
  button.hidden = false;
  button.addEventListener('click', () => {
    const next = html.getAttribute('data-mantine-color-scheme') === 'dark' ? 'light' : 'dark';
    localStorage.setItem(SCHEME, next);
    html.setAttribute('data-mantine-color-scheme', next);
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
    const chosen = localStorage.getItem(SCHEME) ?? 'auto';
    if (chosen === 'auto') html.setAttribute('data-mantine-color-scheme', matches ? 'dark' : 'light');
  });
}

function offerMenu(): void {
  const button = byId('menu');
  button.hidden = false;
  html.classList.add('scripted');
  button.addEventListener('click', () => {
    const open = byId('pages').classList.toggle('open');
    button.setAttribute('aria-expanded', String(open));
  });
}

/** A chosen language is chosen in all tabs, and on the next pages. */
function keepTabs(): void {
  const tabs = [...document.querySelectorAll<HTMLInputElement>('.tabs input')];
  const choose = (name: string | null) => {
    for (const tab of tabs) if (tab.dataset['tab'] === name) tab.checked = true;
  };
  choose(localStorage.getItem(TAB));
  for (const tab of tabs) {
    tab.addEventListener('change', () => {
      const top = tab.getBoundingClientRect().top;
      choose(tab.dataset['tab'] ?? null);
      localStorage.setItem(TAB, tab.dataset['tab'] ?? '');
      // Blocks above have another height now; the chosen one stays in its place.
      window.scrollBy(0, tab.getBoundingClientRect().top - top);
    });
  }
}

function offerCopies(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      const code = button.parentElement?.querySelector('code')?.textContent ?? '';
      void navigator.clipboard.writeText(code).then(
        () => showResult(button, 'Copied'),
        () => showResult(button, 'Not allowed'),
      );
    });
  }
}

function showResult(button: HTMLButtonElement, text: string): void {
  button.textContent = text;
  setTimeout(() => (button.textContent = 'Copy'), 2_000);
}

/** Marks the section in view in the list of sections. */
function followScrolling(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.contents a')].map((link) => [link.hash.slice(1), link]),
  );
  const observer = new IntersectionObserver(
    (entries) => {
      const top = entries.find(({ isIntersecting }) => isIntersecting);
      if (!top) return;
      for (const [id, link] of links) link.toggleAttribute('data-here', id === top.target.id);
    },
    { rootMargin: '-80px 0px -70% 0px' },
  );
  for (const id of links.keys()) {
    const heading = document.getElementById(decodeURIComponent(id));
    if (heading) observer.observe(heading);
  }
}
