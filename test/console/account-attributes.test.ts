// The attributes of accounts: their declaration on the page of accounts, and the values of one account.
import { describe, expect, it } from 'vitest';
import { ok } from '../support/administration.ts';
import { newOperator, signIn } from './support/browser.ts';
import { operatorsDesk } from './support/desk.ts';

const desk = operatorsDesk();
const { post, open, inDialog, seesText } = desk;

const declared = () => ok(desk.service.rest('GET', '/admin/account-attributes'));

/** Replaces the declared attributes. */
async function declare(...attributes: readonly object[]): Promise<void> {
  const { version } = await declared();
  await ok(desk.service.rest('PUT', '/admin/account-attributes', { version, attributes }));
}

const row = (number: number) => desk.page.getByRole('dialog').getByRole('group', { name: `Attribute ${number}` });

describe('The attributes of accounts', () => {
  it('are declared in rows on the page of accounts, none of them required', async () => {
    await declare();
    await open('/accounts');
    await desk.button('Attributes').click();
    await inDialog('Add attribute').click();
    await row(1).getByLabel('Name').fill('tier');
    await row(1).getByLabel('Allowed values').fill('GOLD');
    await desk.page.keyboard.press('Enter');
    await desk.page.keyboard.type('SILVER');
    expect(await row(1).getByLabel('Required').count()).toBe(0);
    await inDialog('Save changes').click();
    await seesText('The attributes of accounts are saved.');
    expect(await declared()).toMatchObject({ attributes: [{ name: 'tier', allowedValues: ['GOLD', 'SILVER'] }] });
  });

  it('are shown to people who may not change them', async () => {
    await declare({ name: 'country', type: 'STRING', description: 'Where they live.' });
    await signIn(desk.page, desk.service, await newOperator(desk.service, 'VIEWER'), '/accounts');
    await desk.button('Attributes').click();
    await desk.page.getByRole('dialog').getByText('Where they live.').waitFor();
    expect(await desk.page.getByRole('dialog').getByRole('textbox').count()).toBe(0);
  });

  it('have values on the page of an account, which are changed and removed one by one', async () => {
    await declare(
      { name: 'tier', type: 'STRING', allowedValues: ['GOLD', 'SILVER'] },
      { name: 'visits', type: 'NUMBER' },
      { name: 'city', type: 'STRING' },
    );
    const { id } = await post('/accounts', {
      externalId: 'ada',
      attributes: { tier: 'SILVER', visits: 3, city: 'Lima' },
    });
    await open(`/accounts/${id}`);
    await seesText('tier: SILVER · visits: 3 · city: Lima');
    await desk.page.getByRole('main').getByRole('button', { name: 'Actions' }).click();
    await desk.page.getByRole('menuitem', { name: 'Edit the account' }).click();
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'tier' }).click();
    await desk.page.getByRole('option', { name: 'GOLD' }).click();
    await dialog.getByLabel('city').fill('');
    await dialog.getByLabel('Reason').fill('Moved');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await seesText('tier: GOLD · visits: 3');
    const { attributes } = await ok(desk.service.rest('GET', `/accounts/${id}`));
    expect(attributes).toEqual({ tier: 'GOLD', visits: 3 });
  });
});
