// Markdown of the repository as HTML of the guide.
import { posix } from 'node:path';
import MarkdownIt, { type MarkdownIt as Parser, type Token } from 'markdown-it';
import { addressOf, type Page } from './site.ts';

/** A page as HTML, with its data for the navigation and the search. */
export type Rendered = {
  readonly page: Page;
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
};

/** A heading with the text below it, until the next heading. `id` is empty for the text before the first. */
export type Section = { readonly id: string; readonly level: number; readonly title: string; readonly text: string };

/** Linked files that the service has at another address. */
const SERVED: Readonly<Record<string, string>> = { 'gen/openapi.yaml': '/openapi.json' };

/**
 * Renders pages with links between them.
 * @param pages every page of the guide, by its source
 */
export function createRenderer(pages: ReadonlyMap<string, Page>): (page: Page, markdown: string) => Rendered {
  const md = new MarkdownIt({ html: false, linkify: false });
  md.renderer.rules['table_open'] = () => '<div class="table" tabindex="0" role="region" aria-label="Table"><table>';
  md.renderer.rules['table_close'] = () => '</table></div>';
  md.renderer.rules['fence'] = (tokens: Token[], index: number) => tabOrBlock(md, tokens, index);
  md.renderer.rules['heading_close'] = (tokens: Token[], index: number) => {
    const id = tokens[index - 2]?.attrGet('id') ?? '';
    const link = id === '' ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
    return `${link}</${tokens[index]?.tag}>\n`;
  };

  return (page, markdown) => {
    const tokens = md.parse(markdown.replaceAll(/<!--.*?-->/gs, ''), {});
    const sections = numberSections(tokens);
    const links = tokens.flatMap((token) => token.children ?? []);
    for (const [index, token] of links.entries()) {
      if (token.type !== 'link_open') continue;
      const target = targetOf(token.attrGet('href') ?? '', page, pages);
      if (target === undefined) unlink(links, index);
      else token.attrSet('href', target);
    }
    const title = sections.find(({ level }) => level === 1)?.title ?? page.label;
    return { page, title, html: md.renderer.render(tokens, md.options, {}), sections };
  };
}

/** The address of a link in the guide; undefined for files of the repository only, such as source code. */
function targetOf(href: string, from: Page, pages: ReadonlyMap<string, Page>): string | undefined {
  if (/^(?:https?:|#|\/)/.test(href)) return href;
  const [path = '', fragment] = href.split('#');
  const source = posix.join(posix.dirname(from.source), path).replace(/\/$/, '');
  const target = pages.get(source) ?? pages.get(`${source}/README.md`);
  const address = target === undefined ? SERVED[source] : addressOf(target);
  return address && address + (fragment === undefined ? '' : `#${fragment}`);
}

/** Removes a link and keeps its text. */
function unlink(tokens: Token[], index: number): void {
  const end = tokens.findIndex(({ type }, at) => at > index && type === 'link_close');
  for (const token of [tokens[index], tokens[end]]) {
    if (token) Object.assign(token, { type: 'text', tag: '', content: '', nesting: 0 });
  }
}

/** Adds the anchors of GitHub to headings, and collects the text below each. */
function numberSections(tokens: readonly Token[]): Section[] {
  const used = new Map<string, number>();
  const sections: { id: string; level: number; title: string; text: string }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = plainText(tokens[index + 1]);
      const id = uniqueId(title, used);
      token.attrSet('id', id);
      sections.push({ id, level: Number(token.tag.slice(1)), title, text: '' });
    } else if (tokens[index - 1]?.type !== 'heading_open' && (token.type === 'inline' || token.type === 'fence')) {
      const section = sections.at(-1);
      if (section) section.text += ` ${token.type === 'fence' ? token.content : plainText(token)}`;
    }
  }
  return sections;
}

function plainText(token: Token | undefined): string {
  return (token?.children ?? []).map(({ content, type }) => (type === 'softbreak' ? ' ' : content)).join('');
}

function uniqueId(title: string, used: Map<string, number>): string {
  const id = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  const times = used.get(id) ?? 0;
  used.set(id, times + 1);
  return times === 0 ? id : `${id}-${times}`;
}

/** The label of a block in tabs, behind its language: `TypeScript` of "```ts TypeScript"; empty for a block alone. */
function tabOf(token: Token | undefined): string {
  return token?.type === 'fence' ? token.info.trim().split(/\s+/).slice(1).join(' ') : '';
}

/**
 * A block of code, or one of several tabs: blocks with labels that follow each other. Radio buttons choose the tab, so that it works without a
 * script and with the arrow keys.
 */
function tabOrBlock(md: Parser, tokens: readonly Token[], index: number): string {
  const label = tabOf(tokens[index]);
  const block = codeBlock(md, tokens[index]);
  if (label === '') return block;
  let first = index;
  while (tabOf(tokens[first - 1]) !== '') first -= 1;
  const escaped = md.utils.escapeHtml(label);
  const id = `tab-${first}-${index}`;
  const input = `<input type="radio" name="tabs-${first}" id="${id}" data-tab="${escaped}"${index === first ? ' checked' : ''}>`;
  const tab = `${input}<label for="${id}">${escaped}</label>\n${block}`;
  const begin = index === first ? '<div class="tabs" role="group" aria-label="The same in several ways">\n' : '';
  return `${begin}${tab}${tabOf(tokens[index + 1]) === '' ? '</div>\n' : ''}`;
}

/** A block of code. The button is hidden until the script shows it, because it needs the script. */
function codeBlock(md: Parser, token: Token | undefined): string {
  const { info = '', content = '' } = token ?? {};
  const language = info.trim().split(/\s/)[0] ?? '';
  const name = LANGUAGES[language] ?? language;
  const label = name === '' ? '' : `<span class="language">${md.utils.escapeHtml(name)}</span>`;
  const code = `<pre tabindex="0"><code>${md.utils.escapeHtml(content)}</code></pre>`;
  return `<div class="code">${label}<button type="button" class="copy" hidden>Copy</button>${code}</div>\n`;
}

const LANGUAGES: Readonly<Record<string, string>> = {
  sh: 'Shell',
  json: 'JSON',
  text: 'Text',
  python: 'Python',
  ts: 'TypeScript',
  js: 'JavaScript',
  go: 'Go',
  java: 'Java',
  ruby: 'Ruby',
  php: 'PHP',
  yaml: 'YAML',
  sql: 'SQL',
};
