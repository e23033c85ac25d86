import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestBrowser, launchBrowser, signIn } from './support/browser.ts';
import { inScheme, settled } from './support/looking.ts';
import { type PlayedDemo, playedDemo } from './support/played-demo.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const IMAGES = 'docs/images';

/** Whether to take the pictures of the documents again; otherwise the test only checks that it could. */
const isWritten = process.env['LAUREL_WRITE_PICTURES'] !== undefined;

/** Pixels: wide enough for the navigation and two charts, and readable at the width of a document. */
const WIDTH = 1200;

/** The options of a picture. */
type Recipe = {
  readonly path: (demo: PlayedDemo) => string;
  readonly scheme: 'light' | 'dark';
  /** Pixels. */
  readonly height: number;
  /** The content that its caption promises, which must be inside the picture. */
  readonly shows: (page: Page) => readonly ReturnType<Page['getByText']>[];
};

const recipes: Readonly<Record<string, Recipe>> = {
  'console-overview.png': {
    path: () => '/',
    scheme: 'light',
    height: 1148,
    shows: (page) => [
      page.getByRole('heading', { name: 'Needs attention' }),
      page.getByRole('link', { name: /^Rewards delivered/ }),
      page.getByRole('heading', { name: 'Activity' }),
      page.getByRole('heading', { name: 'Webhooks' }),
      page.locator('.recharts-area-curve').first(),
      page.locator('.recharts-bar-rectangle path').filter({ visible: true }).first(),
    ],
  },
  'console-campaign.png': {
    path: ({ campaignId }) => `/campaigns/${campaignId}`,
    scheme: 'dark',
    height: 800,
    shows: (page) => [
      page.getByRole('heading', { name: 'Autumn of movement' }),
      page.getByRole('heading', { name: 'How far accounts are' }),
      ...['Bring two friends', 'Spend 100', 'A visit each day', 'Five days in a row'].map((mission) =>
        page.getByRole('main').getByText(mission, { exact: true }).first(),
      ),
    ],
  },
};

let demo: PlayedDemo;
let browser: TestBrowser;
let page: Page;
beforeAll(async () => {
  [demo, browser] = await Promise.all([playedDemo(), launchBrowser()]);
  const visitor = await browser.visitor({ reducedMotion: 'reduce' });
  page = await visitor.newPage();
  await signIn(page, demo, { email: demo.adminEmail, password: demo.adminPassword });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await demo?.close();
});

it('Every picture that a document shows is there and has a recipe, and none lies there unseen', () => {
  const documents = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map(
    (file) => `docs/${file}`,
  );
  const shown = ['README.md', 'CONTRIBUTING.md', ...documents]
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => [...readFileSync(join(ROOT, file), 'utf8').matchAll(/!\[[^\]]*\]\(([^)\s]+)/g)])
    .map(([, path]) => path?.replace(/^.*\//, ''));
  expect(new Set(shown)).toEqual(new Set(Object.keys(recipes)));
  if (existsSync(join(ROOT, IMAGES)))
    expect(readdirSync(join(ROOT, IMAGES)).toSorted()).toEqual(Object.keys(recipes).toSorted());
});

describe('The picture', () => {
  it.each(Object.entries(recipes))(
    '%s can be taken anew, with what its caption promises in it',
    async (file, recipe) => {
      await page.setViewportSize({ width: WIDTH, height: recipe.height });
      await page.goto(`${demo.baseUrl}/console${recipe.path(demo)}`);
      await settled(page);
      await inScheme(page, recipe.scheme);
      for (const part of recipe.shows(page)) {
        await part.waitFor();
        const box = await part.boundingBox();
        expect(box?.y, `${part} is within the picture`).toBeLessThan(recipe.height - (box?.height ?? 0));
      }
      if (!isWritten) return;
      mkdirSync(join(ROOT, IMAGES), { recursive: true });
      await page.screenshot({ path: join(ROOT, IMAGES, file) });
    },
  );
});
