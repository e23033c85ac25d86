// The condition of a mission as an expression: its field, its faults, and its sentence.
import { beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../support/administration.ts';
import { operatorsDesk } from './support/desk.ts';

const desk = operatorsDesk();
const { post, open, seesText } = desk;

const ATTRIBUTES = [
  { name: 'category', type: 'STRING', allowedValues: ['coffee', 'tea'], description: 'What was bought.' },
  { name: 'price', type: 'NUMBER' },
  { name: 'gift', type: 'BOOLEAN' },
];

let audienceIds: string[];
let rewardIds: string[];
beforeAll(async () => {
  await post('/admin/event-definitions', { programmaticCode: 'DRINK', type: 'AMOUNT', attributes: ATTRIBUTES });
  audienceIds = [(await post('/admin/audiences', { name: 'All', kind: 'EVERYONE' })).id];
  rewardIds = [(await post('/admin/rewards', { name: '50 points', type: 'POINTS', amount: 50 })).id];
}, 60_000);

/** A draft with two missions, of which the second has the expression. */
function newDraft(name: string, expression?: string) {
  const mission = { type: 'MISSION', programmaticCode: 'DRINK', target: 1 };
  const missions = [
    { ...mission, name: 'First' },
    { ...mission, name: 'Second', conditions: { expression } },
  ];
  return post('/admin/campaigns', { name, audienceIds, rewardIds, missions });
}

/** Opens the editor, and the conditions of the second mission. */
async function edit({ id }: { readonly id: string }, conditions: string | RegExp): Promise<void> {
  await open(`/campaigns/${id}/edit`);
  await second().getByRole('button', { name: conditions }).click();
}

const second = () => desk.page.locator('fieldset').nth(1);
const expression = () => second().locator('textarea[data-path$=expression]');
const selected = () =>
  expression().evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart, field.selectionEnd));

/** Pixels of the field: before its first letter, above its first line, and of each letter and line. */
const metrics = () =>
  expression().evaluate((field) => {
    const styles = getComputedStyle(field);
    const paper = document.createElement('canvas').getContext('2d')!;
    paper.font = `${styles.fontSize} ${styles.fontFamily}`;
    const sum = (...sizes: readonly string[]) => sizes.reduce((total, size) => total + Number.parseFloat(size), 0);
    return {
      left: sum(styles.paddingLeft, styles.borderLeftWidth),
      top: sum(styles.paddingTop, styles.borderTopWidth),
      letter: paper.measureText('m').width,
      line: sum(styles.lineHeight),
    };
  });

const widest = () => desk.page.evaluate(() => document.documentElement.scrollWidth);

describe('The expression of a mission', () => {
  it('is written with names that a click inserts at the cursor', async () => {
    const campaign = await newDraft('Names');
    await edit(campaign, 'Conditions: none');
    const names = second().getByRole('group', { name: 'Names that it can use' });
    await names.getByRole('button', { name: 'event.category Text' }).waitFor();
    expect(await names.getByRole('button').allInnerTexts()).toEqual([
      expect.stringMatching(/^event\.category\s*Text$/),
      expect.stringMatching(/^event\.price\s*Number$/),
      expect.stringMatching(/^event\.gift\s*Yes or no$/),
      expect.stringMatching(/^event\.amount\s*Number$/),
      expect.stringMatching(/^account\.createdAt\s*Date and time$/),
      expect.stringMatching(/^account\.audiences\s*List of texts$/),
      expect.stringMatching(/^mission\.progress\s*Number$/),
      expect.stringMatching(/^now\s*Date and time$/),
    ]);
    await expression().fill(' > 2 && ');
    await expression().press('Home');
    await names.getByRole('button', { name: 'event.price' }).click();
    await expression().press('End');
    await names.getByRole('button', { name: 'event.gift' }).click();
    expect(await expression().inputValue()).toBe('event.price > 2 && event.gift');
    await desk.page.keyboard.type(' == true');
    await desk.page.getByRole('button', { name: 'Save changes' }).click();
    await seesText('Campaign Names is saved.');
    const { missions } = await ok(desk.service.rest('GET', `/admin/campaigns/${campaign.id}`));
    expect(missions[1].conditions.expression).toBe('event.price > 2 && event.gift == true');
  });

  it('has the fault of the service at its field, and the mistake is selected', async () => {
    await edit(await newDraft('Faults'), 'Conditions: none');
    await expression().fill('event.gift &&\n  event.status == "new"');
    await second().getByRole('button', { name: 'Conditions: 1 set' }).click();
    await desk.page.getByRole('button', { name: 'Save changes' }).click();
    await second()
      .getByText(/^Line 2, column 3: There is no event\.status\. Known names: event\.category,/)
      .waitFor();
    await expect.poll(selected).toBe('event.status');
    expect(await expression().evaluate((field) => field === document.activeElement)).toBe(true);
    await desk.page.keyboard.type('event.category');
    await desk.page.getByRole('button', { name: 'Save changes' }).click();
    await second()
      .getByText(/^Line 2, column 3/)
      .waitFor({ state: 'detached' });
  });

  it('is tried while it is typed: a mistake is marked in the text, otherwise it says how many events would count', async () => {
    await edit(await newDraft('Trial'), 'Conditions: none');
    await expression().fill('event.gift &&\n  event.status == "new"');
    await second()
      .getByText(/^Line 2, column 3: There is no event\.status\./)
      .waitFor();
    const mark = second().locator('mark');
    expect(await mark.textContent()).toBe('event.status');
    const [text, marked] = [await expression().boundingBox(), await mark.boundingBox()];
    const { left, top, letter, line } = await metrics();
    expect(marked!.x - text!.x).toBeCloseTo(left + 2 * letter, 0);
    expect(marked!.width).toBeCloseTo('event.status'.length * letter, 0);
    expect(marked!.y + marked!.height / 2 - text!.y).toBeCloseTo(top + 1.5 * line, -1);
    // The field keeps the cursor: somebody is typing.
    expect(await selected()).toBe('');
    await expression().fill('event.category == "coffee" && event.amount >= 3');
    const status = second().getByRole('status');
    await status.getByText('The journal has no event with this code yet.').waitFor();
    await mark.waitFor({ state: 'detached' });
    for (const [amount, category] of [
      [2, 'coffee'],
      [3, 'coffee'],
      [4, 'tea'],
    ]) {
      const event = { programmaticCode: 'DRINK', accountId: 'ada', idType: 'EXTERNAL', metadata: { amount, category } };
      await ok(desk.service.rest('POST', '/gamification/triggers', event));
    }
    await expression().press('End');
    await desk.page.keyboard.type(' && true');
    await status.getByText('1 of the last 3 events would count.').waitFor();
    await expression().fill('event.price > 2');
    await status.getByText('0 of the last 3 events would count.').waitFor();
    await expression().fill('');
    await status.getByText('events would count').waitFor({ state: 'detached' });
  });

  it('has its fault in Spanish, also on a standalone mission', async () => {
    const mission = { type: 'MISSION', name: 'Alone', programmaticCode: 'DRINK', target: 1 };
    const startsAt = new Date(Date.now() + 86_400_000).toISOString();
    const made = await post('/admin/missions', { audienceId: audienceIds[0], mission: { ...mission, startsAt } });
    await open(`/campaigns/missions/${made.id}/edit`);
    await desk.page.evaluate(() => localStorage.setItem('laurel.preferences', '{"language":"es"}'));
    await desk.page.reload();
    await desk.page.getByRole('button', { name: 'Condiciones: ninguna' }).click();
    await desk.page.locator('textarea[data-path$=expression]').fill('event.gift || 1');
    await desk.page.getByRole('button', { name: 'Guardar cambios' }).click();
    await seesText('Línea 1, columna 15: ');
    await seesText('necesita un BOOLEAN');
  });

  it('has room on a phone for the longest names', async () => {
    const attributes = [{ name: 'W'.repeat(64), type: 'STRING', allowedValues: ['V'.repeat(255)] }];
    await post('/admin/event-definitions', { programmaticCode: 'LONG', type: 'SINGLE', attributes });
    const missions = [{ type: 'MISSION', programmaticCode: 'LONG', target: 1, name: 'Long' }];
    const { id } = await post('/admin/campaigns', { name: 'Long', audienceIds, rewardIds, missions });
    await desk.page.setViewportSize({ width: 390, height: 844 });
    await open(`/campaigns/${id}/edit`);
    await desk.page.getByRole('button', { name: 'Conditions: none' }).click();
    const name = desk.page.getByRole('button', { name: /event\.W+/ });
    await name.waitFor();
    expect(await widest()).toBeLessThanOrEqual(390);
    const box = await name.boundingBox();
    expect(box!.x + box!.width).toBeLessThanOrEqual(390);
    await desk.page.goto(`${desk.service.baseUrl}/console/events`);
    await desk.page.getByRole('button', { name: /^W+$/ }).click();
    const details = desk.page.getByRole('dialog', { name: 'Attributes of LONG' });
    await details.getByText(/Only V+\./).waitFor();
    expect(await details.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth)).toBe(0);
    expect(await widest()).toBeLessThanOrEqual(390);
  });

  it('is tried in the form of an audience, in Spanish as well: how many accounts match', async () => {
    await desk.page.setViewportSize({ width: 1280, height: 900 });
    const attributes = [{ name: 'tier', type: 'STRING' }];
    await ok(desk.service.rest('PUT', '/admin/account-attributes', { version: 1, attributes }));
    for (const externalId of ['grace', 'mary']) {
      await ok(desk.service.rest('POST', '/accounts', { externalId, attributes: { tier: 'GOLD' } }));
    }
    await post('/admin/audiences', { name: 'Gold', kind: 'RULE', expression: 'account.tier == "GOLD"' });
    await open('/audiences');
    await desk.page.getByRole('button', { name: 'New audience' }).click();
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByRole('radio', { name: /^By rule/ }).check();
    await dialog.getByRole('button', { name: 'account.tier Text' }).click();
    await desk.page.keyboard.type(' == "GOLD"');
    await dialog.getByText('2 accounts match.').waitFor();
    await dialog.getByLabel('Accounts for which this holds').fill('account.tier == "GOLD');
    await dialog.getByText('Line 1, column 17: The text that begins here has no quotation mark').waitFor();
    expect(await dialog.locator('mark').textContent()).toBe('"GOLD');
    await desk.page.evaluate(() => localStorage.setItem('laurel.preferences', '{"language":"es"}'));
    await desk.page.reload();
    await desk.page.getByRole('button', { name: 'Nueva audiencia' }).click();
    await dialog.getByRole('radio', { name: /^Por regla/ }).check();
    await dialog.getByLabel('Cuentas para las que').fill('has(account.tier)');
    await dialog.getByText('Cumplen 2 cuentas.').waitFor();
    await dialog.getByLabel('Cuentas para las que').fill('account["tier"] == "GOLD"');
    await dialog
      .getByText('Línea 1, columna 1: El nombre de un atributo va tras un punto: escribe account.tier.')
      .waitFor();
  });

  it('is a sentence on the page of the campaign', async () => {
    const { id } = await newDraft('Sentences', 'event.category in ["coffee", "tea"] && event.price > 2');
    await open(`/campaigns/${id}`);
    await seesText('Counts only if category is coffee or tea and price is more than 2.');
  });
});
