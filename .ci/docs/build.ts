// Writes the files for `/docs` and `/docs/guide`: `node .ci/docs/build.ts <folder>`. `.ci/setup.mjs` runs it after a change of its sources.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS } from '../../src/docs/search-options.ts';
import { bundled } from './bundle.ts';
import { layCompressed } from './lay.ts';
import { type Assets, guidePage, referencePage, widgetsPage } from './layout.ts';
import { createRenderer, type Rendered } from './markdown.ts';
import { SAMPLE } from './sample-account.ts';
import { scalarScript } from './scalar-script.ts';
import { addressOf, GROUPS, type Group, HOME, type Page, slugOf } from './site.ts';

const root = join(import.meta.dirname, '../..');
const folder = process.argv[2] ?? '';
if (folder === '') throw new Error('Name the folder to lay the docs in.');

const read = (path: string) => readFileSync(join(root, path));
const groups = presentGroups();
const decisions = decisionPages();
const pages = [...groups.flatMap((group) => group.pages), ...decisions];
const render = createRenderer(new Map(pages.map((page) => [page.source, page])));
const rendered = pages.map((page) => render(page, read(page.source).toString()));
const assets = await layAssets();
for (const each of rendered) layCompressed(folder, `guide/${each.page.slug}.html`, guidePage(each, groups, assets));
layCompressed(folder, 'reference.html', referencePage(assets));
layCompressed(folder, 'widgets.html', widgetsPage(assets));
for (const [path, answer] of Object.entries(SAMPLE))
  layCompressed(folder, `sample/${path}.json`, JSON.stringify(answer));

/** The groups with their existing pages. The last group also has the decisions and the pages of `docs` without a group. */
function presentGroups(): Group[] {
  const named = new Set(GROUPS.flatMap((group) => group.pages.map(({ source }) => source)));
  const others = globSync('docs/{,guide/}*.md', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((source) => !named.has(source))
    .sort()
    .map((source) => ({ source, slug: slugOf(source), label: titleOf(read(source).toString()) }));
  const more = {
    title: 'More',
    pages: [...others, { source: 'docs/decisions/README.md', slug: 'decisions', label: 'Decisions' }],
  };
  const present = GROUPS.map(({ title, pages }) => ({
    title,
    pages: pages.filter(({ source }) => existsSync(join(root, source))),
  }));
  return [...present, more];
}

function decisionPages(): Page[] {
  return globSync('docs/decisions/[0-9]*.md', { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((source) => ({ source, slug: `decisions/${slugOf(source)}`, label: titleOf(read(source).toString()) }));
}

function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? '';
}

async function layAssets(): Promise<Assets> {
  const font = asset(
    'inter.woff2',
    read('node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  );
  const style = (name: string) =>
    asset(`${name}.css`, read(`src/docs/${name}.css`).toString().replace('url(inter.woff2)', `url(${font})`));
  return {
    font,
    logo: asset('laurel.svg', read('src/console/public/laurel.svg')),
    scheme: asset('colour-scheme.js', read('src/console/public/colour-scheme.js')),
    guide: asset('guide.js', await bundled('src/docs/guide.ts')),
    guideStyle: style('guide'),
    index: asset('search.json', searchIndex(rendered)),
    scalar: asset('scalar.js', scalarScript()),
    reference: asset('reference.js', await bundled('src/docs/reference.ts')),
    referenceStyle: style('reference'),
    widgets: asset('widgets.js', await bundled('src/docs/widgets.ts')),
    widgetsStyle: style('widgets'),
  };
}

/** The search index: sections of all pages except decisions, which would hide the results for integrators. */
function searchIndex(all: readonly Rendered[]): string {
  const index = new MiniSearch(SEARCH_OPTIONS);
  for (const { page, title, sections } of all) {
    if (page.slug.startsWith('decisions')) continue;
    for (const section of sections) {
      const address = section.level === 1 ? addressOf(page) : `${addressOf(page)}#${section.id}`;
      const [heading, below] = [
        section.level === 1 ? title : section.title,
        section.text.trim().replaceAll(/\s+/g, ' '),
      ];
      index.add({
        id: address,
        page: page.slug === HOME.slug ? '' : page.label,
        title: heading,
        text: below,
        words: excerpt(below),
      });
    }
  }
  return JSON.stringify(index);
}

function excerpt(text: string): string {
  return text.length <= 160 ? text : `${text.slice(0, text.lastIndexOf(' ', 160))} …`;
}

/** Writes a file under a name with a hash of its content; returns its address. */
function asset(name: string, body: Buffer | string): string {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 10);
  const path = `assets/${name.replace('.', `-${digest}.`)}`;
  layCompressed(folder, path, body);
  return `/docs/${path}`;
}
