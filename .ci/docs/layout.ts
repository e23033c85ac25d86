// The HTML around rendered content. Scripts and styles are files, because the policy of the pages allows no other.
import { addressOf, type Group, type Page } from './site.ts';
import type { Rendered } from './markdown.ts';
import { widgetsContent } from './widgets-page.ts';

/** The names of the written files. */
export type Assets = {
  readonly scheme: string;
  readonly guide: string;
  readonly guideStyle: string;
  readonly font: string;
  readonly logo: string;
  readonly index: string;
  readonly scalar: string;
  readonly reference: string;
  readonly referenceStyle: string;
  readonly widgets: string;
  readonly widgetsStyle: string;
};

/** A page of the guide. */
export function guidePage(rendered: Rendered, groups: readonly Group[], assets: Assets): string {
  const { page, title, html, sections } = rendered;
  const order = groups.flatMap(({ pages }) => pages);
  const at = order.findIndex(({ source }) => source === page.source);
  return `<!doctype html>
<html lang="en">
<head>
${head(`${title} · Laurel`, assets)}
<link rel="stylesheet" href="${assets.guideStyle}">
<script src="${assets.guide}" defer></script>
</head>
<body data-index="${assets.index}">
<a class="skip" href="#content">Skip to the text</a>
${bar('guide', assets)}
<div class="frame">
<nav class="pages" id="pages" aria-label="Pages">
${groups.map((group) => navigation(group, page)).join('\n')}
</nav>
<main id="content" tabindex="-1">
<article>
${html}</article>
${neighbours(at < 0 ? undefined : order[at - 1], at < 0 ? undefined : order[at + 1])}
</main>
${contents(sections)}
</div>
<dialog id="search" aria-label="Search the guide">
<form method="dialog" role="search"><input type="search" id="words" placeholder="Search the guide" aria-label="Search the guide" aria-controls="found" autocomplete="off" spellcheck="false"><button class="plain" value="close">Close</button></form>
<p id="count" role="status"></p>
<ol id="found"></ol>
</dialog>
</body>
</html>
`;
}

/** The page `/docs`: the bar, and the container for the script. */
export function referencePage(assets: Assets): string {
  return `<!doctype html>
<html lang="en">
<head>
${head('API reference · Laurel', assets)}
<link rel="stylesheet" href="${assets.referenceStyle}">
<script src="${assets.scalar}" defer></script>
<script src="${assets.reference}" defer></script>
</head>
<body>
${bar('reference', assets)}
<div id="reference"></div>
<noscript><p class="noscript">The reference needs JavaScript. The same description for machines is <a href="/openapi.json">/openapi.json</a>, and <a href="/docs/guide">the guide</a> can be read without.</p></noscript>
</body>
</html>
`;
}

/** The page `/docs/widgets`. */
export function widgetsPage(assets: Assets): string {
  return `<!doctype html>
<html lang="en">
<head>
${head('Widgets · Laurel', assets)}
<link rel="stylesheet" href="${assets.guideStyle}">
<link rel="stylesheet" href="${assets.widgetsStyle}">
<script src="/widgets.js" defer></script>
<script src="${assets.widgets}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the widgets</a>
${bar('widgets', assets)}
${widgetsContent}
</body>
</html>
`;
}

function head(title: string, { scheme, font, logo }: Assets): string {
  return `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<link rel="icon" type="image/svg+xml" href="${logo}">
<link rel="preload" as="font" type="font/woff2" crossorigin href="${font}">
<script src="${scheme}"></script>`;
}

function bar(here: 'guide' | 'reference' | 'widgets', { logo }: Assets): string {
  const link = (href: string, words: string, name: string) =>
    `<a href="${href}"${name === here ? ' aria-current="true"' : ''}>${words}</a>`;
  const tools =
    here === 'guide'
      ? `<button type="button" class="search" id="open-search" hidden>Search <kbd>/</kbd></button>
<button type="button" class="scheme" id="scheme" aria-label="Light or dark" hidden></button>
<button type="button" class="menu" id="menu" aria-controls="pages" aria-expanded="false" hidden>Pages</button>`
      : '';
  return `<header class="bar">
<a class="logo" href="/docs/guide"><img src="${logo}" alt="" width="26" height="26">Laurel</a>
<nav aria-label="Laurel">${link('/docs/guide', 'Guide', 'guide')}${link('/docs', 'API reference', 'reference')}${link('/console/', 'Console', 'console')}</nav>
${tools}</header>`;
}

function navigation({ title, pages }: Group, here: Page): string {
  const items = pages.map(
    (page) =>
      `<li><a href="${addressOf(page)}"${page.source === here.source ? ' aria-current="page"' : ''}>${escape(page.label)}</a></li>`,
  );
  return `<h2>${escape(title)}</h2><ul>${items.join('')}</ul>`;
}

function contents(sections: Rendered['sections']): string {
  const shown = sections.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ id, level, title }) => `<li class="level-${level}"><a href="#${id}">${escape(title)}</a></li>`,
  );
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

function neighbours(before: Page | undefined, after: Page | undefined): string {
  const link = (page: Page | undefined, rel: string, words: string) =>
    page === undefined
      ? ''
      : `<a rel="${rel}" href="${addressOf(page)}"><small>${words}</small>${escape(page.label)}</a>`;
  return `<nav class="neighbours" aria-label="Before and after">${link(before, 'prev', 'Before')}${link(after, 'next', 'Next')}</nav>`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
