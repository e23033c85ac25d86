// Past events: an administrator sets how far they may go back; a file is rehearsed, imported, and taken back.
import { expect, it } from 'vitest';
import { differencesOf } from '../../src/commands/verify.ts';
import { ok } from '../support/administration.ts';
import { operatorsDesk } from './support/desk.ts';
import { inScheme, PHONE, settled, violations } from './support/looking.ts';
import { newOperator, signIn } from './support/browser.ts';

const desk = operatorsDesk();
const { post, open, button, inDialog, seesText } = desk;

const folder = process.env['LAUREL_SCREENSHOTS'];
const picture = async (name: string) => {
  await settled(desk.page);
  if (folder) await desk.page.screenshot({ path: `${folder}/past-events-${name}.png`, fullPage: true });
};

const DAY = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString();
const HEAD = 'operationId,programmaticCode,accountId,idType,occurredAt';
const row = (id: string, days: number) => `${id},LOGIN,ada,EXTERNAL,${daysAgo(days)}`;

async function choose(text: string): Promise<void> {
  const file = { name: 'events.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
  await desk.page.locator('input[type=file]').setInputFiles(file);
}

const points = async () =>
  (await ok(desk.service.rest('GET', '/loyalty/accounts/ada/points?idType=EXTERNAL'))).available;

it('are allowed by an administrator, rehearsed, imported with their rewards, and taken back', async () => {
  const { page, service } = desk;
  await post('/admin/event-definitions', { programmaticCode: 'LOGIN', type: 'SINGLE' });
  const { id: audienceId } = await post('/admin/audiences', { name: 'Everyone', kind: 'EVERYONE' });
  const reward = await post('/admin/rewards', { name: '10 points', type: 'POINTS', amount: 10 });
  const counted = { programmaticCode: 'LOGIN', target: 2, rewardIds: [reward.id], startsAt: daysAgo(20) };
  await post('/admin/missions', { audienceId, mission: { type: 'MISSION', name: 'Two visits', ...counted } });
  await open('/imports/new?type=events');
  await seesText('This client takes no past events until');
  await button('Set the days').click();
  const days = page.getByRole('dialog').getByLabel('Past events, days at most');
  await days.fill('5000');
  await inDialog('Save changes').click();
  await page
    .getByRole('dialog')
    .getByText(/3,?650/)
    .waitFor();
  await days.fill('30');
  await inDialog('Save changes').click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const client = await ok(service.rest('GET', `/admin/clients/${service.clientId}`));
  expect(client).toMatchObject({ backfillDaysMax: 30, outlierThreshold: 0 });

  await page.goto(`${service.baseUrl}/console/imports/new`);
  await page.getByRole('radio', { name: /^Events/ }).click();
  await seesText('Events may go back 30 days.');
  await choose('operationId,accountId\nx,y\n');
  await seesText('The header line has no column programmaticCode.');
  await choose(`${HEAD},attributes.shoes\n${row('a', 3)},38\n`);
  await seesText('No event has an attribute for the column attributes.shoes.');
  await choose(`${HEAD},amount\n${row('a', 4)},\n${row('b', 3)},\n${row('c', 40)},\n`);
  await page.getByRole('radiogroup', { name: 'Rewards delivered' }).getByText('all').click();
  await picture('form');
  expect(await violations(page, 'light')).toEqual([]);
  await inScheme(page, 'dark');
  await picture('form-dark');
  expect(await violations(page, 'dark')).toEqual([]);
  await page.setViewportSize(PHONE);
  await picture('form-phone');
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  await page.setViewportSize({ width: 1280, height: 860 });
  await inScheme(page, 'light');
  await button('Upload and import').click();
  await seesText('What the events would come to');
  await seesText('2 events, of which 2 counted for a mission.');
  await seesText('10 points: 1 time, 10 in all.');
  await seesText('is more than 30 days ago, the `backfillDaysMax` of the client');
  await picture('rehearsal');
  expect(await button('Take back').count()).toBe(0);
  expect((await service.rest('GET', '/accounts/ada?idType=EXTERNAL')).status).toBe(404);

  await page.goto(`${service.baseUrl}/console/imports/new?type=events`);
  await choose(`${HEAD}\n${row('a', 4)}\n${row('b', 3)}\n`);
  await page.getByRole('radiogroup', { name: 'Rewards delivered' }).getByText('all').click();
  await page.getByRole('switch', { name: 'Rehearsal' }).click();
  await button('Upload and import').click();
  await seesText('What the events came to');
  await button('Take back').waitFor();
  expect(await points()).toBe(10);
  await picture('applied');
  const address = new URL(page.url()).pathname.replace('/console', '');

  await button('Take back').click();
  await seesText('2 events are taken back: progress falls, and rewards go as far as they are unused.');
  await page.getByRole('dialog').getByLabel('Reason').fill('The wrong file.');
  await inDialog('Take back').click();
  await seesText('2 of 2 events taken back');
  await seesText('Taken back');
  await picture('reversed');
  expect(await button('Take back').count()).toBe(0);
  expect(await button('Cancel import').count()).toBe(0);
  expect(await points()).toBe(0);
  expect(await differencesOf(service.db, service.clientId)).toEqual([]);

  await page.context().clearCookies();
  await signIn(page, service, await newOperator(service, 'SUPPORT'), address);
  await seesText('2 of 2 events taken back');
});
