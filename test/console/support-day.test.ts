// A support day: the complaints of guests, each explained or solved in the console alone, in five clicks from the overview.
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { movableClock } from './support/clock.ts';
import { annoyGuests } from './support/guests.ts';
import { helpDesk } from './support/help-desk.ts';
import { photograph } from './support/looking.ts';

const clock = movableClock();
const desk = helpDesk((service) => annoyGuests(service, clock), { clock: clock.now });
const { seesText, button, item, dialog, inDialog, type } = desk;

describe('A supporter, in five clicks,', { timeout: 60_000 }, () => {
  it('tells a guest who got no reward that the lunch was eaten too late', async () => {
    const { find } = await desk.ticket('SUPPORT');
    await find('guest-ada', 'guest-ada');
    await seesText('Counted nothing: Lunch break does not count at that time of day or on that weekday.');
  });

  it('tells a guest who got no reward that it waits for stock, and how many are missing', async () => {
    const { find, click } = await desk.ticket('SUPPORT');
    await find('guest-ben', 'guest-ben');
    await seesText('Earned the reward A pair of mugs, which waits for stock.');
    await click(desk.page.getByRole('tab', { name: 'Earned rewards' }));
    await click(button('Actions for this reward'));
    await desk.page
      .getByRole('menuitem', { name: /Deliver now/ })
      .getByText('1 unit is missing')
      .waitFor();
  });

  it('tells a guest whose points are gone that their time was up', async () => {
    const { find } = await desk.ticket('SUPPORT');
    await find('guest-cleo', 'guest-cleo');
    await seesText('Lost 30 points, whose time was up; the balance was 0.');
  });

  it('sees that a guest is in the wrong audience, and puts the guest into the right one', async () => {
    const { find, click, choose } = await desk.ticket('SUPPORT');
    await find('guest-dana', 'guest-dana');
    await seesText('Counted nothing: the account was in no audience of Readers’ week.');
    await click(button('Actions'));
    await click(item('Change audiences'));
    await choose(dialog().getByRole('combobox', { name: 'Audiences' }), 'Newsletter readers');
    await type('Reason', 'Signed up for it in the shop.');
    await click(inDialog('Save changes'));
    await dialog().waitFor({ state: 'detached' });
    const audiences = await desk.get(`/admin/accounts/${desk.world.dana}/audiences`);
    expect(audiences).toContainEqual(expect.objectContaining({ id: desk.world.newsletter }));
  });

  it('sees that a trip broke a streak, and sets the clocks of the account to where the guest is', async () => {
    const { find, click, choose } = await desk.ticket('SUPPORT');
    await find('guest-elif', 'guest-elif');
    await seesText(
      /The streak of 2 in Five days in a row was lost before: it was last kept on .+, by the clocks of UTC\./,
    );
    await photograph(desk.page, 'support streak', 'light');
    await click(button('Actions'));
    await click(item('Edit the account'));
    await choose(dialog().getByRole('combobox', { name: 'Time zone' }), 'Pacific/Auckland');
    await type('Reason', 'Lives there for half a year.');
    await click(inDialog('Save changes'));
    await dialog().waitFor({ state: 'detached' });
    expect(await desk.get(`/accounts/${desk.world.elif}`)).toMatchObject({ timeZone: 'Pacific/Auckland' });
  });

  it('refunds what a guest bought', async () => {
    const { find, click } = await desk.ticket('SUPPORT');
    await find('guest-farid', 'guest-farid');
    await click(desk.page.getByRole('tab', { name: 'Redemptions' }));
    await click(button('Cancel Mug'));
    await dialog().getByText('20 points return to the account.').waitFor();
    await type('Reason', 'Arrived broken.');
    await click(inDialog('Cancel redemption'));
    await desk.page.getByRole('table', { name: 'Redemptions' }).getByText('Cancelled').waitFor();
    expect((await desk.get(`/loyalty/accounts/${desk.world.farid}/points`)).available).toBe(50);
  });

  it('takes the event of an order back that was returned, and sees before what will go', async () => {
    const { find, click } = await desk.ticket('SUPPORT');
    await find('guest-hana', 'guest-hana');
    await click(button('Take back'));
    await dialog()
      .getByText('This takes 1 back from one mission. One reward goes. The account will owe 20 points.')
      .waitFor();
    await photograph(desk.page, 'support returned order', 'light');
    await type('Reason', 'The order came back.');
    await click(inDialog('Take back'));
    await seesText('Reversed an event: 1 of it was taken back.');
    const points = await desk.get(`/loyalty/accounts/${desk.world.hana}/points`);
    expect(points).toMatchObject({ available: 0, debt: 20 });
  });

  it('stops an account that may be a fraud', async () => {
    const { find, click } = await desk.ticket('SUPPORT');
    await find('guest-ivan', 'guest-ivan');
    await click(button('Actions'));
    await click(item('Suspend the account'));
    await type('Reason', 'Forty surveys in one minute.');
    await click(inDialog('Suspend the account'));
    await desk.page.getByText('Suspended since').waitFor();
    const { progressedMissions } = await desk.post('/gamification/triggers', {
      programmaticCode: 'BREAKFAST',
      accountId: desk.world.ivan,
    });
    expect(progressedMissions).toEqual([]);
  });

  it('resumes the account, because it was honest, with what it sent meanwhile', async () => {
    const { find, click } = await desk.ticket('SUPPORT');
    await find('guest-ivan', 'guest-ivan');
    await click(button('Actions'));
    await click(item('Resume and apply what waited'));
    await type('Reason', 'It was a school class.');
    await click(inDialog('Resume and apply what waited'));
    await desk.page.getByText('Suspended since').waitFor({ state: 'detached' });
    await expect
      .poll(async () => (await desk.get(`/v1/gamification/missions/completed/${desk.world.ivan}`)).length)
      .toBe(2);
  });

  it('gives a guest all that is kept of the account', async () => {
    const { find, click } = await desk.ticket('SUPPORT');
    await find('guest-gina', 'guest-gina');
    await click(button('Actions'));
    const saved = desk.page.waitForEvent('download');
    await click(item('Download all data'));
    const file = await saved;
    expect(file.suggestedFilename()).toBe('account.json');
    const data = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(data).toMatchObject({ accountId: desk.world.gina });
    expect(JSON.stringify(data)).toContain('guest-gina');
  });

  it('erases a guest who asks for it', async () => {
    const { find, click } = await desk.ticket('SUPPORT');
    await find('guest-gina', 'guest-gina');
    await click(button('Actions'));
    await click(item('Erase the account'));
    await type('Reason', 'Asked for it by letter.');
    await type('Type guest-gina to confirm', 'guest-gino');
    await desk.page.keyboard.press('Tab');
    await desk.page.getByText('This is not guest-gina.').waitFor();
    await type('Type guest-gina to confirm', 'guest-gina');
    await click(inDialog('Erase the account'));
    await desk.page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
    expect((await desk.service.rest('GET', `/accounts/${desk.world.gina}`)).status).toBe(404);
    const left = await desk.service.db.systemUnitOfWork((uow) =>
      uow.query(`select 1 from account where external_id = 'guest-gina'`),
    );
    expect(left).toEqual([]);
  });
});
