import { describe, expect, it } from 'vitest';
import { ok } from '../support/administration.ts';
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

describe('The form of an event definition', () => {
  it('keeps the attributes of a definition whose name is changed', async () => {
    const definition = await newDefinition('KEPT');
    await open('/events');
    await edit('KEPT');
    await desk.page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill('Another name');
    await inDialog('Save changes').click();
    await desk.page.getByRole('row').filter({ hasText: 'Another name' }).waitFor();
    expect(await stored(definition)).toEqual(definition.attributes);
  });
});
