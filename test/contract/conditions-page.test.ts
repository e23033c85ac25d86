// docs/guide/conditions.md has twenty expressions, each with an event that counts and one that does not. They are read from the page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COST_MAX } from '../../src/expressions/compile.ts';
import { functions } from '../../src/expressions/functions.ts';
import { DEPTH_MAX, LENGTH_MAX, NODES_MAX } from '../../src/expressions/tokens.ts';
import { ok } from '../support/administration.ts';
import { startJourney, type Journey, type Stage } from '../journeys/stage.ts';
import { blocksOf } from './support/page.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/guide/conditions.md'), 'utf8');

/** An event of the page: its metadata, and its time if it has one. */
type ExampleEvent = { readonly metadata: object; readonly at: string };

type Example = {
  readonly title: string;
  readonly expression: string;
  readonly counts: ExampleEvent;
  readonly doesNot: ExampleEvent & { readonly explanation: string };
};

/** The account of the examples and the time of an event without one, from the text before the first example. */
const [, timeZone = '', attributes = '', createdAt = '', usualTime = ''] =
  /## Twenty examples\n[^#]*zone\s`([^`]+)`[^#]*attributes\s`([^`]+)`[^#]*created\sat\s`([^`]+)`[^#]*occurred\sat\s`([^`]+)`/.exec(
    page,
  ) ?? [];

const examples = page
  .split(/^##+ (?=\d+\. )/m)
  .slice(1)
  .map((section) => exampleIn(section.split(/^## /m)[0]!));

function exampleIn(section: string): Example {
  const [title = ''] = section.split('\n');
  const [{ code: expression } = { code: '' }] = blocksOf(section).filter(({ language }) => language === 'cel');
  const item = (name: string) =>
    new RegExp(String.raw`^- ${name}: ((?:.|\n(?!\n|- ))+)`, 'm').exec(section)?.[1]?.replaceAll(/\s+/g, ' ') ?? '';
  const doesNot = item('Does not count');
  const explanation = /Explanation: `([^`]+)`/.exec(doesNot)?.[1] ?? '';
  return { title, expression, counts: eventIn(item('Counts')), doesNot: { ...eventIn(doesNot), explanation } };
}

function eventIn(item: string): ExampleEvent {
  const [, metadata = 'null', at = usualTime] = /^`([^`]+)`(?: at `([^`]+)`)?/.exec(item) ?? [];
  return { metadata: JSON.parse(metadata) as object, at };
}

let journey: Journey;
let stage: Stage;
let missionIds: readonly string[];
beforeAll(async () => {
  journey = await startJourney(createdAt);
  stage = await journey.stage('UTC');
  await stage.admin('/admin/event-definitions', bodyOfCall('/admin/event-definitions'));
  await ok(stage.rest('PUT', '/admin/account-attributes', bodyOfCall('/admin/account-attributes')));
  await stage.admin('/accounts', { externalId: 'ines', timeZone, attributes: JSON.parse(attributes) as object });
  const missions = examples.map(({ title, expression }) => ({
    name: title,
    programmaticCode: 'ORDER',
    target: 1_000_000,
    conditions: { expression },
  }));
  ({ missionIds } = await stage.game({ codes: {}, missions }));
});
afterAll(() => journey.service.close());

/** The body of the first call of a path on the page. */
function bodyOfCall(path: string): object {
  const [body = ''] = blocksOf(page).flatMap(
    ({ code }) => new RegExp(String.raw`\$LAUREL${path}"[^']*'(\{.*?\n\})'`, 's').exec(code)?.[1] ?? [],
  );
  return JSON.parse(body) as object;
}

const order = (metadata: object) => ({ programmaticCode: 'ORDER', accountId: 'ines', idType: 'EXTERNAL', metadata });

type Moved = { readonly progressedMissions: ReadonlyArray<{ readonly missionId: string }> };

/** Sends an event at its time; answers the missions that it advanced. */
async function countedBy({ metadata, at }: ExampleEvent): Promise<readonly string[]> {
  journey.clock.set(at);
  const { progressedMissions } = (await ok(stage.rest('POST', '/gamification/triggers', order(metadata)))) as Moved;
  return progressedMissions.map(({ missionId }) => missionId);
}

type Simulated = { readonly missionId: string; readonly explanation: string };

async function explained({ metadata, at }: ExampleEvent, missionId: string): Promise<string | undefined> {
  journey.clock.set(at);
  const missions = (await ok(stage.rest('POST', '/gamification/triggers/simulate', order(metadata)))) as Simulated[];
  return missions.find((mission) => mission.missionId === missionId)?.explanation;
}

test('the page has twenty examples, numbered in their order', () => {
  expect(examples.map(({ title }) => Number.parseInt(title, 10))).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
});

describe('of the examples', () => {
  test.each(examples.map((example, index) => [example.title, example, index] as const))(
    '%s: the first event counts, the second does not, for the reason on the page',
    async (_, { counts, doesNot }, index) => {
      const missionId = missionIds[index]!;
      expect(await countedBy(counts)).toContain(missionId);
      expect(await countedBy(doesNot)).not.toContain(missionId);
      expect(doesNot.explanation).not.toBe('');
      expect(await explained(doesNot, missionId)).toMatch(new RegExp(`\\. ${RegExp.escape(doesNot.explanation)}\\.$`));
    },
  );
});

/** The rows of the table below a heading, as texts. */
function rowsBelow(heading: string): string[] {
  const section = page.split(new RegExp(`^#+ ${heading}\n`, 'm'))[1]?.split(/^#+ /m)[0] ?? '';
  return section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| -'));
}

test('the page has every function of the language, and no other', () => {
  const named = rowsBelow('Functions').flatMap((row) =>
    [...row.split('|')[1]!.matchAll(/(math\.\w+|\w+)\(/g)].map(([, name]) => name!),
  );
  const known = Object.keys(functions).filter((name) => /\w\w/.test(name));
  const ofTheCompiler = ['has', 'exists', 'all', 'timestamp', 'duration'];
  expect([...new Set(named)].toSorted()).toEqual([...known, ...ofTheCompiler].toSorted());
});

test('the page has the limits of the language', () => {
  const figures = rowsBelow('Limits').flatMap((row) => /(\d[\d,]*) *\|$/.exec(row)?.[1] ?? []);
  const limits = [LENGTH_MAX, NODES_MAX, DEPTH_MAX, COST_MAX];
  expect(figures).toEqual(limits.map((limit) => limit.toLocaleString('en-GB')));
});

/** Mistakes that the check of an expression cannot find. */
const ACCEPTED = ['now.getMonth() == 12'];

test('each mistake of the page is refused, but for those of which it says otherwise', async () => {
  const mistakes = rowsBelow('Mistakes in an expression').flatMap((row) => {
    const [, mistake] = /^\| `([^|]+?)` *\|/.exec(row) ?? [];
    return mistake === undefined ? [] : [mistake];
  });
  expect(mistakes.length).toBeGreaterThan(5);
  const answers = [];
  for (const mistake of mistakes) {
    const expression = mistake.startsWith('duration') ? `now - now < ${mistake}` : mistake;
    const mission = {
      type: 'MISSION',
      name: mistake,
      programmaticCode: 'ORDER',
      target: 1,
      conditions: { expression },
    };
    const { rows } = await ok(stage.rest('GET', '/admin/audiences/paginated?page=1&limit=1'));
    const { status, body } = await stage.rest('POST', '/admin/missions', { audienceId: rows[0].id, mission });
    answers.push({ mistake, status, message: body.message });
  }
  expect(answers.filter(({ status }) => status !== 400).map(({ mistake }) => mistake)).toEqual(ACCEPTED);
  for (const { message, status } of answers) if (status === 400) expect(message).toMatch(/expression, line 1, column/);
});
