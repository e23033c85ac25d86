import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDemoShop } from '../../src/commands/demo-shop.ts';
import { startService, type TestService } from '../support/service.ts';
import { blocksOf } from './support/page.ts';
import { expectPrinted, printedBy, type Step, stepsOf, title, variablesOf } from './support/page-steps.ts';

const docs = join(import.meta.dirname, '../../docs');
const stepsIn = (page: string) => stepsOf(blocksOf(readFileSync(join(docs, page), 'utf8')));

// The first block has the address and the keys of `npm start`; here another service replaces them.
const integrators = stepsIn('integrators.md').slice(1);

/** The pages of the guide use the variables from the second block of the integrators' page. */
const variables: Step = { command: integrators[0]?.command ?? '', expected: undefined };
const pages = [
  { page: 'integrators.md', steps: integrators },
  // test/packages runs the tabs beside curl, and warehouse-page.test.ts the page for warehouses, which needs more programs.
  ...globSync('guide/*.md', { cwd: docs })
    .map((page) => page.replaceAll('\\', '/'))
    .filter((page) => page !== 'guide/warehouse.md')
    .map((page) => ({ page, steps: [variables, ...stepsIn(page)] }))
    .filter(({ steps }) => steps.length > 1),
];

let service: TestService;
beforeAll(async () => {
  service = await startService({ journal: 'byOperation' });
});
afterAll(() => service.close());

describe.each(pages)('$page', ({ steps }) => {
  let printed: string[];
  // Each page has a new shop, like that of `npm start`.
  beforeAll(async () => {
    const { apiKey, accessToken } = await createDemoShop(service.app.operations);
    printed = await printedBy(steps, variablesOf(service.baseUrl, apiKey, accessToken));
  }, 60_000);

  test.each(
    steps.flatMap(({ command, expected }, index) => (expected ? [[title(command), index, expected] as const] : [])),
  )('%s', (_title, index, expected) => expectPrinted(printed[index] ?? '', expected));
});

test('every line of the page is run', () => {
  expect(integrators.length).toBeGreaterThan(20);
  expect(integrators.filter(({ expected }) => expected).length).toBeGreaterThan(20);
  expect(pages.map(({ page }) => page).sort()).toEqual([
    ...[
      'changes',
      'conditions',
      'corrections',
      'errors-and-retries',
      'events',
      'figures',
      'four-ways',
      'marketplace',
      'missions',
      'rewards',
      'tokens',
    ].map((name) => `guide/${name}.md`),
    'integrators.md',
  ]);
});
