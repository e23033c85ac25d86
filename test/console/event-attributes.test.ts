import { describe, expect, it } from 'vitest';
import { ok } from '../support/administration.ts';
import { newGame } from '../support/game.ts';
import { newOperator, signIn } from './support/browser.ts';
import { operatorsDesk } from './support/desk.ts';

const desk = operatorsDesk();
const { post, open, inDialog } = desk;

const CATEGORY = { name: 'category', type: 'STRING', required: true, allowedValues: ['coffee', 'tea'] };
const PRICE = { name: 'price', type: 'NUMBER', min: 0, max: 500.5, description: 'Of one cup, in euros.' };
const GUEST = { name: 'guest', type: 'STRING', personal: true };

/** A new event definition with attributes. */
async function newDefinition(programmaticCode: string, attributes: readonly object[] = [CATEGORY, PRICE, GUEST]) {
  return post('/admin/event-definitions', { programmaticCode, type: 'SINGLE', attributes });
}

/** The stored attributes of an event definition. */
async function stored({ id }: { readonly id: string }) {
  return (await ok(desk.service.rest('GET', `/admin/event-definitions/${id}`))).attributes;
}

async function edit(code: string): Promise<void> {
  await desk.page.getByRole('button', { name: `Actions for ${code}` }).click();
  await desk.page.getByRole('menuitem', { name: 'Edit' }).click();
}

const row = (number: number) => desk.page.getByRole('dialog').getByRole('group', { name: `Attribute ${number}` });
const add = () => inDialog('Add attribute').click();

describe('The form of an event definition', () => {
  it('creates a definition with a row for each attribute, and sends what belongs to its type', async () => {
    await open('/events');
    await desk.button('New event definition').first().click();
    await desk.page.getByRole('dialog').getByLabel('Code').fill('ROWS');
    for (const number of [1, 2, 3]) {
      await add();
      await row(number)
        .getByLabel('Name')
        .fill(['category', 'unwanted', 'price'][number - 1] ?? '');
    }
    await row(1).getByLabel('Allowed values').fill('coffee');
    await desk.page.keyboard.press('Enter');
    await desk.page.keyboard.type('tea');
    await row(1).getByLabel('Required').check();
    await desk.page.getByRole('button', { name: 'Remove attribute 2' }).click();
    await row(2).getByLabel('Type').selectOption('Number');
    await row(2).getByLabel('Smallest value').fill('0');
    await row(2).getByLabel('Largest value').fill('500.5');
    await row(2).getByLabel('Description').fill('Of one cup.');
    await row(2).getByLabel('Personal').check();
    await inDialog('Create event definition').click();
    await desk.page.getByRole('row').filter({ hasText: 'ROWS' }).getByText('category and price').waitFor();
    const { rows } = await ok(desk.service.rest('GET', '/admin/event-definitions/paginated?page=1&limit=9'));
    const { attributes } = rows.find(
      ({ programmaticCode }: { programmaticCode: string }) => programmaticCode === 'ROWS',
    );
    expect(attributes).toMatchObject([
      { name: 'category', type: 'STRING', required: true, allowedValues: ['coffee', 'tea'], personal: false },
      { name: 'price', type: 'NUMBER', min: 0, max: 500.5, personal: true, description: 'Of one cup.' },
    ]);
  });

  it('shows the fault of the service at the row', async () => {
    await newDefinition('FAULTY', [CATEGORY]);
    await open('/events');
    await edit('FAULTY');
    await add();
    const name = row(2).getByLabel('Name');
    for (const [typed, fault] of [
      ['2nd', 'A letter, then letters, digits and _'],
      ['amount', "“Attribute 2, Name” 'amount' is reserved: choose another name."],
      ['category', "“Attribute 2, Name” 'category' is there twice: each name stands once."],
    ] as const) {
      await name.fill(typed);
      await name.press('Enter');
      await row(2).getByText(fault).waitFor();
      await desk.page.locator('[data-path="attributes.1.name"]:focus').waitFor();
    }
  });

  it('names the mission whose expression uses a removed attribute', async () => {
    const definition = await newDefinition('USED');
    const conditions = { expression: 'event.category == "tea"' };
    await newGame(desk.service, { codes: {}, missions: [{ name: 'Tea only', programmaticCode: 'USED', conditions }] });
    await open('/events');
    await edit('USED');
    await desk.page.getByRole('button', { name: 'Remove attribute 1' }).click();
    await inDialog('Save changes').click();
    await desk.page.getByRole('dialog').getByRole('alert').getByText('event.category of').waitFor();
    expect(await stored(definition)).toEqual(definition.attributes);
  });

  it('keeps the attributes of a definition whose name is changed', async () => {
    const definition = await newDefinition('KEPT');
    await open('/events');
    await edit('KEPT');
    await desk.page.locator('[data-path=name]').fill('Another name');
    await inDialog('Save changes').click();
    await desk.page.getByRole('row').filter({ hasText: 'Another name' }).waitFor();
    expect(await stored(definition)).toEqual(definition.attributes);
  });
});

describe('The list of event definitions', () => {
  it('shows a viewer the attributes, and no way to change them', async () => {
    await newDefinition('READ');
    await signIn(desk.page, desk.service, await newOperator(desk.service, 'VIEWER'), '/events');
    const listed = desk.page.getByRole('row').filter({ hasText: 'READ' });
    await listed.getByRole('button', { name: 'category, price, and guest' }).click();
    const details = desk.page.getByRole('dialog', { name: 'Attributes of READ' });
    await details.getByText('Only coffee or tea.').waitFor();
    await details.getByText('At least 0. At most 500.5.').waitFor();
    await details.getByText('Of one cup, in euros.').waitFor();
    expect(await details.getByRole('textbox').count()).toBe(0);
    expect(await listed.getByRole('button').count()).toBe(1);
  });
});
