// The log of refused calls, as an operator finds it from the overview and from an account.
import { expect, it } from 'vitest';
import { operatorsDesk } from './support/desk.ts';

const desk = operatorsDesk();

const call = (programmaticCode: string, accountId: string) =>
  desk.service.rest('POST', '/gamification/triggers', { programmaticCode, accountId });

it('The number of refused calls leads to the calls, which a count and a code narrow, and an account to its own', async () => {
  const { id: ann } = await desk.post('/accounts', { externalId: 'refused ann', name: 'Ann' });
  const { id: bob } = await desk.post('/accounts', { externalId: 'refused bob', name: 'Bob' });
  await call('REFUSED_A', ann);
  await call('REFUSED_B', bob);
  await desk.service.rest('GET', `/admin/products/${crypto.randomUUID()}`);
  await desk.open('/');
  const main = desk.page.getByRole('main');
  await main.getByRole('link', { name: /^Calls refused/ }).click();
  await desk.page.waitForURL(/\/refused-calls\?from=20\d\d-/);
  const line = (code: string) => main.getByRole('listitem').filter({ hasText: `Event ${code}` });
  await line('REFUSED_A').getByText('EVENT_DEFINITION_NOT_FOUND').waitFor();
  const text = await line('REFUSED_A').innerText();
  expect(text).toContain("There is no event definition 'REFUSED_A'.");
  expect(text).toContain('TriggerService.EmitTrigger');
  await line('REFUSED_A').getByRole('link', { name: 'refused ann' }).waitFor();

  if (process.env['SHOTS']) await desk.page.screenshot({ path: `${process.env['SHOTS']}/refused.png`, fullPage: true });
  await main.getByLabel('Code', { exact: true }).fill('PRODUCT_NOT_FOUND');
  await line('REFUSED_A').waitFor({ state: 'detached' });
  await main.getByRole('listitem').filter({ hasText: 'ProductAdminService.GetProduct' }).first().waitFor();
  await main.getByLabel('Code', { exact: true }).fill('');
  await line('REFUSED_A').waitFor();
  const counts = main.getByRole('region', { name: 'By operation and key' });
  await counts.getByRole('button', { name: 'TriggerService.EmitTrigger', exact: true }).click();
  await main.getByRole('listitem').filter({ hasText: 'ProductAdminService' }).waitFor({ state: 'detached' });
  await line('REFUSED_B').waitFor();

  await desk.page.goto(`${desk.service.baseUrl}/console/accounts/${bob}`);
  await main.getByRole('link', { name: 'Refused calls' }).click();
  await line('REFUSED_B').waitFor();
  expect(await line('REFUSED_A').count()).toBe(0);
});
