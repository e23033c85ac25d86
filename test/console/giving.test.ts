import { describe, expect, it } from 'vitest';
import { upload } from '../operations/imports/files.ts';
import { deliver, reward } from '../operations/rewards/provision.ts';
import { newRetry } from '../operations/webhooks/new-retry.ts';
import { ok } from '../support/administration.ts';
import { operatorsDesk } from './support/desk.ts';

const desk = operatorsDesk();
const { post, open, button, inDialog, seesText } = desk;

describe('Accounts are put into an audience by external id', () => {
  it('all of them or none: unknown ids are named, and nothing is changed', async () => {
    const { id } = await post('/admin/audiences', { name: 'Regulars', kind: 'MANUAL' });
    for (const externalId of ['anna', 'bert']) await post('/accounts', { externalId });
    await open(`/audiences/${id}`);
    await button('Add accounts').first().click();
    await desk.page.getByLabel('External ids').fill('anna\nnobody\nbert');
    await inDialog('Add accounts').click();
    await seesText('No account has this id: nobody.');
    expect((await desk.service.rest('GET', `/admin/audiences/${id}`)).body.memberCount).toBe(0);

    await desk.page.getByLabel('External ids').fill('anna\n\nbert\nanna');
    await inDialog('Add accounts').click();
    await seesText('2 accounts are in it now.');
    await desk.page.getByRole('link', { name: 'bert' }).waitFor();
    await button('Actions for anna').click();
    await desk.page.getByRole('menuitem', { name: 'Remove' }).click();
    await inDialog('Remove').click();
    await desk.page.getByRole('link', { name: 'anna' }).waitFor({ state: 'detached' });
    expect((await desk.service.rest('GET', `/admin/audiences/${id}`)).body.memberCount).toBe(1);
  });
});

describe('A webhook that retries', () => {
  it('is switched on in its form, shows what waits and why, and is stopped by a button', async () => {
    await open('/webhooks');
    const card = desk.page.getByRole('region', { name: 'Rewards delivered' });
    await card.getByRole('button', { name: 'Set up' }).click();
    await desk.page.getByLabel('Address').fill('https://shop.example/hooks');
    await desk.page.getByLabel('Retries').check();
    await inDialog('Save changes').click();
    await card.getByText('Over 24 hours').waitFor();
    expect((await desk.service.rest('GET', '/webhooks/rewards')).body.retries).toBe(true);

    for (let count = 0; count < 2; count += 1) await newRetry(desk.service, desk.service.clientId);
    await card.getByText('2 messages wait for a retry').waitFor({ timeout: 10_000 });
    await card.getByText('Next attempt: ').waitFor();
    await card.getByText('503').waitFor();
    await desk.page.getByRole('tab', { name: 'Waiting' }).click();
    await desk.page.getByText('Waits for a retry').nth(1).waitFor();

    await card.getByRole('button', { name: 'Stop retries' }).click();
    await inDialog('Stop retries').click();
    await seesText('2 messages are not sent again.');
    await card.getByText('2 messages wait').waitFor({ state: 'detached' });
    await desk.page.getByText('Nothing is waiting').waitFor();
    expect((await desk.service.rest('GET', '/admin/webhooks/retries')).body.rows).toEqual([
      { type: 'REWARDS', waiting: 0 },
    ]);
  });
});

describe('A chest', () => {
  it('shows its odds while the weights are typed, the chance of nothing among them', async () => {
    await post('/admin/rewards', { name: 'Ten points', type: 'POINTS', amount: 10 });
    await open('/rewards/chests/new');
    await desk.page.getByLabel('Name').fill('Lucky chest');
    await desk.page.getByLabel('Reward').first().click();
    await desk.page.getByRole('option', { name: 'Ten points' }).click();
    await desk.page.getByLabel('Weight', { exact: true }).fill('3');
    await desk.page.getByLabel('Weight of drawing nothing').fill('1');
    await seesText('75%');
    await seesText('25%');
    await button('Create chest').click();
    await desk.page.getByRole('heading', { name: 'Lucky chest' }).waitFor();
    const { body } = await desk.service.rest('GET', '/admin/chests/paginated?page=1&limit=10');
    expect(body.rows[0]).toMatchObject({ name: 'Lucky chest', totalWeight: 4, entries: [{ weight: 3 }] });
  });

  it('that somebody else changed meanwhile is not overwritten, and can be read again', async () => {
    const reward = await post('/admin/rewards', { name: 'Five points', type: 'POINTS', amount: 5 });
    const entries = [{ rewardId: reward.id, weight: 1 }];
    const chest = await post('/admin/chests', { name: 'Shared chest', entries });
    await open(`/rewards/chests/${chest.id}`);
    const name = desk.page.getByLabel('Name');
    await name.fill('The second wants this');
    const changes = { name: 'The first was here', version: chest.version, entries };
    await ok(desk.service.rest('PUT', `/admin/chests/${chest.id}`, changes));
    await button('Save changes').click();
    await button('Read it again and drop my changes').click();
    await desk.page.getByRole('heading', { name: 'The first was here' }).waitFor();
    await expect.poll(() => name.inputValue()).toBe('The first was here');
  });
});

describe('A dialog that was open while somebody else saved', () => {
  it('does not overwrite them, however often its button is pressed', async () => {
    const event = await post('/admin/event-definitions', { programmaticCode: 'VISIT', type: 'SINGLE', name: 'Visit' });
    await open('/events');
    await button('Actions for VISIT').click();
    await desk.page.getByRole('menuitem', { name: 'Edit' }).click();
    await desk.page.getByRole('dialog').getByLabel('Name').fill('My visit');
    await ok(
      desk.service.rest('PUT', `/admin/event-definitions/${event.id}`, { name: 'Theirs', version: event.version }),
    );
    await inDialog('Save changes').click();
    // The table behind the dialog is read again, and must not change the version in the dialog.
    await desk.page.getByRole('cell', { name: 'Theirs', includeHidden: true }).waitFor();
    await inDialog('Save changes').click();
    await desk.page.getByRole('dialog').getByText('Trace id').waitFor();
    expect((await desk.service.rest('GET', `/admin/event-definitions/${event.id}`)).body.name).toBe('Theirs');
  });
});

describe('A product', () => {
  it('gets codes, of which nobody sees more than the end again', async () => {
    const product = await post('/admin/products', { name: 'Concert ticket', stockMode: 'CODES' });
    await open(`/products/${product.id}`);
    await seesText('No codes yet');
    await button('Add codes').click();
    await inDialog('Add codes').click();
    await seesText('Enter at least one code.');
    await desk.page.getByRole('textbox', { name: 'Codes' }).fill('TICKET-0001\nTICKET-0002');
    await inDialog('Add codes').click();
    await seesText('2 codes are added.');
    await seesText('••••0001');
    expect(await desk.page.getByText('TICKET-0001').count()).toBe(0);
  });
});

describe('A publication', () => {
  it('comes and goes only after a question', async () => {
    const product = await post('/admin/products', { name: 'E-book', stockMode: 'UNLIMITED' });
    const publication = await post('/admin/publications', { productId: product.id, name: 'Summer reading', stock: 5 });
    const status = async () => (await desk.service.rest('GET', `/admin/publications/${publication.id}`)).body.status;
    await open(`/marketplace/publications/${publication.id}`);
    await button('Publish').click();
    await inDialog('Cancel').click();
    expect(await status()).toBe('DRAFT');
    await button('Publish').click();
    await inDialog('Publish').click();
    await button('Unpublish').click();
    expect(await status()).toBe('PUBLISHED_ON_MARKETPLACE');
    await inDialog('Unpublish').click();
    await button('Publish').waitFor();
    expect(await status()).toBe('DRAFT');
  });
});

describe('Units of a publication', () => {
  it('can be withdrawn, as far as there are any, and its product shows that they are free', async () => {
    const product = await post('/admin/products', { name: 'Notebook', stockMode: 'COUNTED', stock: 6 });
    const publication = await post('/admin/publications', { productId: product.id, name: 'Notebooks', stock: 5 });
    await open(`/marketplace/publications/${publication.id}`);
    await button('Actions for Notebooks').click();
    await desk.page.getByRole('menuitem', { name: 'Withdraw units' }).click();
    const units = desk.page.getByRole('dialog').getByLabel('Units');
    await units.fill('6');
    await inDialog('Withdraw units').click();
    await seesText('At most 5.');
    await units.fill('2');
    await inDialog('Withdraw units').click();
    await seesText('2 units are withdrawn.');
    await desk.page.getByRole('link', { name: 'Products' }).click();
    await seesText('(3 free)');
  });
});

describe('A reward that waits for stock', () => {
  it('is shown with what is missing, is not delivered without it, and is cancelled with a reason', async () => {
    const fields = { name: 'Espresso machine', stockMode: 'COUNTED', stock: 2 } as const;
    const { id } = await post('/admin/products', fields);
    const account = await post('/accounts', { externalId: 'patient' });
    const product = { ...fields, id, fragmentsRequired: undefined, pointsCost: undefined };
    const order = { accountId: account.id, reward: reward('PRODUCTS', 5, { product }), now: new Date() };
    await deliver(desk.service.db, desk.service.clientId, [order]);
    await open(`/products/${id}`);
    await seesText('1 earned reward waits for stock');
    const row = desk.page.getByRole('row').filter({ hasText: 'patient' });
    // The account's name arrives after the row.
    await row.waitFor();
    expect(await row.getByRole('cell').allTextContents()).toEqual(expect.arrayContaining(['5', '3']));
    await button('Actions for this reward').click();
    await seesText('3 units are missing');
    expect(await desk.page.getByRole('menuitem', { name: 'Deliver now' }).isDisabled()).toBe(true);
    await desk.page.getByRole('menuitem', { name: 'Cancel the reward' }).click();
    await desk.page.getByRole('dialog').getByLabel('Reason').fill('Given by hand.');
    await inDialog('Cancel the reward').click();
    await seesText('The reward is cancelled.');
    expect(await ok(desk.service.rest('GET', `/admin/products/${id}`))).toMatchObject({ waiting: 0, free: 2 });
  });
});

describe('A CSV file', () => {
  const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

  it('without the column that must be there is refused before it is sent', async () => {
    await open('/imports/new');
    await desk.page.locator('input[type=file]').setInputFiles(csv('bad.csv', 'email;name\r\na@example.com;A\r\n'));
    await seesText('The header line has no column externalId.');
    await button('Upload and import').click();
    await seesText('The header line has no column externalId.');
    expect((await desk.service.rest('GET', '/admin/imports/paginated?page=1&limit=10')).body.totalRows).toBe(0);
  });

  it('is loaded, counted, and its refused rows come as a report with lines and reasons', async () => {
    const rows = 'externalId,timeZone,shoes\r\nclara,Europe/Madrid,38\r\ndora,Mars/Olympus,39\r\n';
    await open('/imports/new');
    await desk.page.locator('input[type=file]').setInputFiles(csv('people.csv', `\uFEFF${rows}`));
    await seesText('Passed over: shoes');
    await button('Upload and import').click();
    await seesText('2 of 2 rows');
    const downloading = desk.page.waitForEvent('download');
    await button('Refused rows').click();
    const stream = await (await downloading).createReadStream();
    const report = Buffer.concat(await stream.toArray()).toString();
    expect(report).toMatch(/3,dora,.*Mars\/Olympus/);
  });

  it('whose upload broke off goes on where it stopped', async () => {
    const text = 'externalId\r\nemil\r\nfrida\r\n';
    const made = await post('/admin/imports', { type: 'ACCOUNTS', fileName: 'rest.csv' });
    const begun = await upload(desk.service, `/admin/imports/${made.id}/content?offset=0&more=true`, text.slice(0, 14));
    expect(begun.status).toBe(200);
    await open(`/imports/${made.id}`);
    await seesText('The upload stopped');
    await desk.page.locator('input[type=file]').setInputFiles(csv('other.csv', text));
    await seesText('This is not the file rest.csv.');
    await desk.page.locator('input[type=file]').setInputFiles(csv('rest.csv', text));
    await seesText('2 of 2 rows');
    expect((await desk.service.rest('GET', `/admin/imports/${made.id}`)).body).toMatchObject({ rowsCreated: 2 });
  });
});
