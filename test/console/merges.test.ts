// Support merges two accounts on the page of the one that stays, sees before what will happen, and takes the merge back.
import { describe, expect, it } from 'vitest';
import { differencesOf } from '../../src/commands/verify.ts';
import { newGame } from '../support/game.ts';
import { ok } from '../support/administration.ts';
import { newOperator, signIn } from './support/browser.ts';
import { operatorsDesk } from './support/desk.ts';
import { inScheme, PHONE, settled, violations } from './support/looking.ts';

const desk = operatorsDesk();
const { post, open, inDialog, seesText } = desk;

const folder = process.env['LAUREL_SCREENSHOTS'];
const picture = async (name: string) => {
  await settled(desk.page);
  if (folder) await desk.page.screenshot({ path: `${folder}/merge-${name}.png`, fullPage: true });
};

const dialog = () => desk.page.getByRole('dialog');
const accountOf = (id: string) => ok(desk.service.rest('GET', `/accounts/${id}`));

/** Two accounts, `guest` with 15 points more, both with progress in "Five visits". */
async function twoAccounts(
  guest: string,
  shopper: string,
): Promise<{ readonly guest: string; readonly shopper: string }> {
  const [first, second] = [
    await post('/accounts', { externalId: guest }),
    await post('/accounts', { externalId: shopper }),
  ];
  await post(`/admin/accounts/${first.id}/points/adjust`, { amount: 15, reason: 'A test.' });
  for (const accountId of [first.id, first.id, second.id])
    await post('/gamification/triggers', { programmaticCode: 'LOGIN', accountId });
  return { guest: first.id, shopper: second.id };
}

async function openDialog(shopper: string, guest: string): Promise<void> {
  await open(`/accounts/${shopper}`);
  await desk.button('Actions').click();
  await desk.page.getByRole('menuitem', { name: 'Merge another account into this one' }).click();
  await dialog()
    .getByRole('combobox', { name: 'Other account' })
    .or(dialog().getByLabel('Other account'))
    .first()
    .fill(guest);
  await desk.page.getByRole('option', { name: guest }).click();
}

describe('Merging two accounts', () => {
  it('shows what will happen, does nothing before it is confirmed, and is undone from the list', async () => {
    await newGame(desk.service, { missions: [{ name: 'Five visits', target: 5 }] });
    const { guest, shopper } = await twoAccounts('guest-1', 'ines');
    await openDialog(shopper, 'guest-1');
    await seesText('Five visits: 2 and 1 become 2 of 5.');
    await dialog().getByText('Both added up').click();
    await seesText('Five visits: 2 and 1 become 3 of 5.');
    await seesText('Moves 15 points, 0 earned rewards, 0 chests, 0 redemptions and 0 reservations.');
    await seesText('It can be undone for 30 days, until an event, a spending or a reward follows.');
    await picture('light');
    expect(await violations(desk.page, 'light', {}, '[role=dialog]')).toEqual([]);
    await inScheme(desk.page, 'dark');
    await picture('dark');
    expect(await violations(desk.page, 'dark', {}, '[role=dialog]')).toEqual([]);
    await desk.page.setViewportSize(PHONE);
    await picture('phone');
    expect(await desk.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await desk.page.setViewportSize({ width: 1280, height: 860 });
    await inScheme(desk.page, 'light');
    expect(await accountOf(guest)).toMatchObject({ id: guest });

    await inDialog('Merge accounts').click();
    await seesText('The accounts are merged.');
    expect(await accountOf(guest)).toMatchObject({ id: shopper });
    await desk.page.getByRole('tab', { name: 'Merged accounts' }).click();
    const row = desk.page.getByRole('row').filter({ hasText: 'guest-1' });
    await row.getByText('Both added up').waitFor();
    await row.getByText(/^Possible until/).waitFor();
    await picture('list');
    await row.getByRole('button', { name: 'Undo the merge of guest-1' }).click();
    await inDialog('Undo').click();
    await row.getByText(/^Undone on/).waitFor();
    expect(await row.getByRole('button').count()).toBe(0);
    expect(await accountOf(guest)).toMatchObject({ id: guest });
    expect(await differencesOf(desk.service.db, desk.service.clientId)).toEqual([]);
  });

  it('that pays says what it pays, and has no undo', async () => {
    await newGame(desk.service, { missions: [{ name: 'Three visits', target: 3 }] });
    const { shopper } = await twoAccounts('guest-2', 'nora');
    await openDialog(shopper, 'guest-2');
    await dialog().getByText('Both added up').click();
    await seesText('Three visits: 2 and 1 become 3 of 3, completed.');
    await seesText('Completes 1 campaign.');
    await seesText('Pays 10 × Points.');
    await seesText('It pays rewards or combines pieces, so it can never be undone.');
    await inDialog('Merge accounts').click();
    await seesText('The accounts are merged.');
    await open(`/accounts/${shopper}?tab=merges`);
    await desk.page.getByText('Not possible: it paid or combined something').waitFor();
    expect(await desk.page.getByRole('button', { name: /^Undo/ }).count()).toBe(0);
  });

  it('says why it is refused: an account with itself, one that is suspended, an undo after an event', async () => {
    const { guest, shopper } = await twoAccounts('guest-3', 'olga');
    await openDialog(shopper, 'olga');
    await seesText('`accountId` and `intoAccountId` name one account: there is nothing to merge.');
    await post(`/admin/accounts/${guest}/suspend`, { reason: 'A test.' });
    await openDialog(shopper, 'guest-3');
    await dialog()
      .getByText(/suspended/)
      .first()
      .waitFor();
    await post(`/admin/accounts/${guest}/resume`, { events: 'APPLY', reason: 'A test.' });
    await post(`/accounts/${guest}/merge`, { intoAccountId: shopper, progress: 'MAX' });
    await post(`/admin/accounts/${shopper}/points/adjust`, { amount: 1, reason: 'A test.' });

    await open(`/accounts/${shopper}?tab=merges`);
    await desk.page.getByRole('button', { name: 'Undo the merge of guest-3' }).click();
    await inDialog('Undo').click();
    await seesText('The merge cannot be undone: since then came points. Correct the accounts by hand.');
  });

  it('is for support, and not for those who only look', async () => {
    const { shopper } = await twoAccounts('guest-4', 'pia');
    const offered = async (role: 'VIEWER' | 'SUPPORT') => {
      await desk.page.context().clearCookies();
      const path = `/accounts/${shopper}?tab=merges`;
      await signIn(desk.page, desk.service, await newOperator(desk.service, role), path);
      await seesText('No account was merged into this one.');
      if (await desk.button('Actions').isVisible()) {
        await desk.button('Actions').click();
        await desk.page.getByRole('menuitem').first().waitFor();
      }
      return desk.page.getByRole('menuitem', { name: 'Merge another account into this one' }).count();
    };
    expect(await offered('SUPPORT')).toBe(1);
    expect(await offered('VIEWER')).toBe(0);
  });
});
