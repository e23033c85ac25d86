// A support day, continued: the complaints of the shop's staff, each explained or solved in five clicks from the overview.
import { afterAll, describe, expect, it } from 'vitest';
import { signIn } from '../operations/clients/console.ts';
import { movableClock } from './support/clock.ts';
import { helpDesk } from './support/help-desk.ts';
import { overflows, PHONE, photograph, violations } from './support/looking.ts';
import { troubleShop } from './support/shop-troubles.ts';

const clock = movableClock();
const desk = helpDesk((service) => troubleShop(service, clock), { clock: clock.now, trustForwarded: true });
const { seesText, button, item, dialog, inDialog, type } = desk;
const nav = (name: string) => desk.page.getByRole('navigation').getByRole('link', { name, exact: true });
afterAll(() => desk.world?.receiver.close());

/** The maximum time of repeated looks; far above the time of a page. */
const TIMEOUT = { timeout: 15_000 };

describe('In five clicks', { timeout: 60_000 }, () => {
  it('a supporter sees who of two guests with the same code has it', async () => {
    const { find } = await desk.ticket('SUPPORT');
    await find('cinema v', /^Cinema voucher$/);
    await desk.page.getByLabel('Who has this code?').fill('CINE-4711');
    const codes = desk.page.getByRole('table', { name: 'Codes' });
    const owners = codes.getByRole('link', { name: /guest-/ });
    await expect.poll(() => Promise.all([owners.count(), codes.getByRole('row').count()]), TIMEOUT).toEqual([1, 2]);
    expect(await owners.allInnerTexts()).toEqual([await ownerOf('CINE-4711')]);
  });

  it('a supporter sees why the platform hears nothing of rewards, and sends it again once that is mended', async () => {
    const { click } = await desk.ticket('SUPPORT');
    await click(desk.page.getByRole('link', { name: /^The webhook “Rewards delivered” fails/ }));
    await click(desk.page.getByRole('table', { name: 'Delivery log' }).getByRole('link').first());
    await seesText('The disk is full.');
    await seesText('507');
    desk.world.mend();
    await click(button('Send again'));
    await click(inDialog('Send again'));
    const table = desk.page.getByRole('table', { name: 'Attempts of this message' });
    await table.getByText('Delivered', { exact: true }).first().waitFor();
    // Two messages were refused, in either order: one of them was delivered later.
    const repeated = () => {
      const bodies = desk.world.receiver.received.map(({ body }) => body);
      return bodies.length - new Set(bodies).size;
    };
    await expect.poll(repeated, { timeout: 15_000 }).toBe(1);
  });

  it('a marketer sees that an offer of 5 is sold out while the product is not, and offers more', async () => {
    const { find, click } = await desk.ticket('MARKETER');
    await find('concert in', 'Concert in the park');
    await seesText('It was sold out and is no longer offered. Add units, then publish it again.');
    await click(button('Add units'));
    await type('Units', '20');
    await click(inDialog('Add units'));
    await click(button('Publish'));
    await click(inDialog('Publish'));
    await expect
      .poll(() => desk.get(`/admin/publications/${desk.world.publication}`), TIMEOUT)
      .toMatchObject({ availableStock: 20, status: 'PUBLISHED_ON_MARKETPLACE' });
  });

  it('a viewer sees who ended a campaign early, and when it was to end', async () => {
    const { find } = await desk.ticket('VIEWER');
    await find('autumn race', 'Autumn race');
    await seesText(
      new RegExp(`^It ended on .+\\. ${desk.world.mover} moved the end there on .+; it was .+ before\\.`, 'i'),
    );
    await photograph(desk.page, 'support campaign', 'light');
    expect(await violations(desk.page, 'a campaign')).toEqual([]);
  });

  it('a marketer sees which rows of a file were refused, and why, in Spanish as well', async () => {
    const { click } = await desk.ticket('MARKETER');
    await click(nav('Imports'));
    await click(desk.page.getByRole('link', { name: 'guests.csv' }));
    const why = desk.page.getByRole('table', { name: 'Why rows were refused' });
    const row = (text: string) => why.getByRole('row').filter({ hasText: text });
    await row('guest-jon').getByText("There is no audience 'VIPs' with members of its own.").waitFor();
    await row('guest-kim')
      .getByText(/must have one @/)
      .waitFor();
    await why.getByText('Its “External id” stands in line 2 already.').waitFor();
    await why.getByText('The row has 2 cells, the header has 3.').waitFor();
    await photograph(desk.page, 'support import', 'light');
    expect(await violations(desk.page, 'an import')).toEqual([]);
    await desk.page.evaluate(() => localStorage.setItem('laurel.preferences', JSON.stringify({ language: 'es' })));
    await desk.page.setViewportSize(PHONE);
    await desk.page.reload();
    await seesText('No hay ninguna audiencia «VIPs» con miembros propios.');
    await seesText('La fila tiene 2 celdas, y la cabecera 3.');
    await photograph(desk.page, 'support import', 'phone.es');
    expect(await overflows(desk.page, 'an import')).toEqual([]);
  });

  it('an administrator lets a colleague in again who has lost the second factor', async () => {
    const { email, password } = desk.world.withoutApp;
    expect((await signIn(desk.service, { email, password })).status).toBe(403);
    const { click } = await desk.ticket('CLIENT_ADMIN');
    await click(nav('Console users'));
    await click(rowOf(email).getByRole('button'));
    await click(item('Reset second factor'));
    await click(inDialog('Reset second factor'));
    await desk.page.getByText('is off.').waitFor();
    expect((await signIn(desk.service, { email, password })).status).toBe(200);
  });

  it('an administrator lets a colleague in again who has tried too many passwords', async () => {
    const { email } = desk.world.forgetful;
    const { click } = await desk.ticket('CLIENT_ADMIN');
    await click(nav('Console users'));
    await click(rowOf(email).getByRole('button'));
    await click(item('Reset password'));
    await click(inDialog('Reset password'));
    const password = await dialog().getByRole('textbox', { name: 'Password' }).inputValue();
    expect((await signIn(desk.service, { email, password })).status).toBe(200);
  });
});

/** The external id of a code's owner, from the guests' redemptions as an administrator's token reads them. */
async function ownerOf(code: string): Promise<string | undefined> {
  for (const guest of ['guest-hal', 'guest-hans']) {
    const redemptions = await desk.get(`/redemptions/${guest}?idType=EXTERNAL`);
    if (JSON.stringify(redemptions).includes(code)) return guest;
  }
  return undefined;
}

function rowOf(email: string) {
  return desk.page.getByRole('table').getByRole('row').filter({ hasText: email.toLowerCase() });
}
