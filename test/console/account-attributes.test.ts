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

/** The attributes on the page of an account, each with its value. */
async function facts(): Promise<string[]> {
  const shown = desk.page.getByRole('main').locator('section').filter({ hasText: 'Attributes' }).locator('dl > div');
  return (await shown.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
}

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
    await expect.poll(facts).toEqual(['tier SILVER', 'visits 3', 'city Lima']);
    await desk.page.getByRole('main').getByRole('button', { name: 'Actions' }).click();
    await desk.page.getByRole('menuitem', { name: 'Edit the account' }).click();
    const dialog = desk.page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'tier' }).click();
    await desk.page.getByRole('option', { name: 'GOLD' }).click();
    await dialog.getByLabel('city').fill('');
    await dialog.getByLabel('Reason').fill('Moved');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await expect.poll(facts).toEqual(['tier GOLD', 'visits 3', 'city –']);
    const { attributes } = await ok(desk.service.rest('GET', `/accounts/${id}`));
    expect(attributes).toEqual({ tier: 'GOLD', visits: 3 });
  });
});

describe('The list of accounts', () => {
  const found = () => desk.page.locator('tbody tr td:first-child').allInnerTexts();
  const choose = async (label: string, option: string) => {
    await desk.page.getByRole('combobox', { name: label, exact: true }).click();
    await desk.page.getByRole('option', { name: option, exact: true }).click();
  };

  it('is filtered by one attribute, its address has the filter, and its file has a column for each attribute', async () => {
    await declare(
      { name: 'plan', type: 'STRING', allowedValues: ['A,B', 'A'] },
      { name: 'town', type: 'STRING' },
      { name: 'isStaff', type: 'BOOLEAN' },
      { name: 'tags', type: 'STRING_LIST' },
    );
    for (const [externalId, attributes] of Object.entries({
      'filter-1': { plan: 'A,B', town: 'Lima', isStaff: true, tags: ['x', 'y'] },
      'filter-2': { plan: 'A', town: 'Lyon', isStaff: false },
      'filter-3': { town: 'Limassol' },
    }))
      await post('/accounts', { externalId, attributes });
    await open('/accounts?attributes.town=lim');
    await expect.poll(found).toEqual(['filter-1', 'filter-3']);
    await desk.page.getByLabel('town', { exact: true }).fill('');
    await expect.poll(async () => (await found()).length).toBeGreaterThan(2);
    await desk.page.getByLabel('town', { exact: true }).fill('lyon');
    await expect.poll(found).toEqual(['filter-2']);
    await choose('Attribute', 'plan');
    await expect.poll(() => new URL(desk.page.url()).searchParams.has('attributes.town')).toBe(false);
    await choose('plan', 'A,B');
    await expect.poll(found).toEqual(['filter-1']);
    await choose('Attribute', 'isStaff');
    await choose('isStaff', 'No');
    await expect.poll(found).toEqual(['filter-2']);
    await choose('isStaff', 'Yes');
    await expect.poll(found).toEqual(['filter-1']);
    await desk.button('Download').click();
    const saving = desk.page.waitForEvent('download');
    await desk.page.getByRole('menuitem', { name: 'CSV with all fields and ids' }).click();
    const stream = await (await saving).createReadStream();
    const [head = '', row = ''] = Buffer.concat(await stream.toArray())
      .toString()
      .split('\r\n');
    expect(head).toMatch(/attributes\.plan.*attributes\.isStaff/);
    expect(head).not.toMatch(/attributes(,|$)/);
    expect(row).toContain('"[""x"",""y""]"');
    expect(row).toContain('"A,B"');
  });
});

describe('A file of accounts', () => {
  const csv = (text: string) => ({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  const give = (text: string) => desk.page.locator('input[type=file]').setInputFiles(csv(text));

  it('has the declared attributes among its columns, and one that is not declared is refused before it is sent', async () => {
    await declare({ name: 'tier', type: 'STRING', allowedValues: ['GOLD', 'SILVER'] }, { name: 'n', type: 'NUMBER' });
    await open('/imports/new');
    await seesText('GOLD or SILVER');
    await give('externalId,attributes.Tier\r\nfile-1,GOLD\r\n');
    await seesText('Accounts have no attribute for the column attributes.Tier.');
    await desk.button('Upload and import').click();
    expect(new URL(desk.page.url()).pathname).toBe('/console/imports/new');
    await give('externalId,attributes.tier,Attributes.n,shoes\r\nfile-1,GOLD,1.5,38\r\n');
    await seesText('Passed over: shoes');
    await desk.button('Upload and import').click();
    await seesText('1 of 1 row');
    const { attributes } = await ok(desk.service.rest('GET', '/accounts/file-1?idType=EXTERNAL'));
    expect(attributes).toEqual({ tier: 'GOLD', n: 1.5 });
  });
});
