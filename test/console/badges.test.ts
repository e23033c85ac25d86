import { describe, expect, it } from 'vitest';
import { countBadgeOwners } from '../../src/rewards/badges/count-owners.ts';
import { ok } from '../support/administration.ts';
import { operatorsDesk } from './support/desk.ts';

const desk = operatorsDesk();
const { post, open, inDialog } = desk;

const PICTURE = 'https://shop.example/first.png';

const found = async (name: string) => {
  const filters = encodeURIComponent(JSON.stringify({ filters: [{ field: 'name', value: name }] }));
  return (await ok(desk.service.rest('GET', `/admin/rewards/paginated?page=1&limit=9&filters=${filters}`))).rows[0];
};

describe('The pages of rewards', () => {
  it('create a badge, with the address of its picture checked while it is typed, and change it', async () => {
    await open('/rewards');
    await desk.button('New reward').first().click();
    const dialog = desk.page.getByRole('dialog');
    const field = (name: string) => dialog.getByRole('textbox', { name });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('First coffee');
    await dialog.getByRole('radio', { name: 'Badge' }).click();
    await field('Picture').fill('first.png');
    await field('Text').fill('Your first coffee.');
    await dialog.getByRole('switch', { name: 'Secret' }).click();
    await inDialog('Create reward').click();
    await dialog.getByText('An absolute address, beginning with https:// or http://.').waitFor();
    await field('Picture').fill(PICTURE);
    await inDialog('Create reward').click();
    await desk.page.getByRole('row').filter({ hasText: 'First coffee' }).waitFor();
    const created = await found('First coffee');
    expect(created).toMatchObject({ type: 'BADGE', amount: 1, imageUrl: PICTURE, secret: true });

    await open(`/rewards/${created.id}`);
    await desk.seesText('Your first coffee.');
    await desk.button('Edit').click();
    await field('Picture').fill('');
    await field('Text').fill('Cheers!');
    await inDialog('Save changes').click();
    await dialog.waitFor({ state: 'detached' });
    await desk.seesText('Cheers!');
    const changed = await found('First coffee');
    expect(changed).toMatchObject({ description: 'Cheers!', secret: true, version: 2 });
    expect(changed).not.toHaveProperty('imageUrl');
  });
});

describe('The wall of badges of an account', () => {
  it('shows earned ones with date and rarity, and of a secret one that is missing nothing but its rarity', async () => {
    const badge = (name: string, secret = false) =>
      post('/admin/rewards', { name, type: 'BADGE', amount: 1, secret, description: `Text of ${name}` });
    const [earned] = [await badge('Welcome'), await badge('Loyal'), await badge('Conspirator', true)];
    const { id } = await post('/accounts', { externalId: 'with-badges' });
    await post(`/admin/accounts/${id}/rewards/grant`, { rewardId: earned.id, reason: 'A test.' });
    await open(`/accounts/${id}?tab=badges`);
    const card = (text: string) => desk.page.getByRole('listitem').filter({ hasText: text });
    await card('Welcome').getByText('Owners are not counted yet').waitFor();
    await card('Loyal').getByText('Not earned').waitFor();
    await card('Secret badge').first().getByText('?').waitFor();
    expect(await desk.main()).not.toContain('Conspirator');
    await countBadgeOwners(desk.service.db, desk.service.clientId, new Date());
    await open(`/accounts/${id}?tab=badges`);
    await card('Welcome')
      .getByText(/of accounts have it \(1\)/)
      .waitFor();
  });
});

describe('The card of the rewards webhook', () => {
  it('says by a switch whether it has badges, a setting of the client', async () => {
    await ok(desk.service.rest('PUT', '/webhooks/rewards', { endpoint: 'http://127.0.0.1:9/' }));
    await open('/webhooks');
    const card = desk.page.getByRole('region', { name: 'Rewards' }).first();
    const toggle = card.getByRole('switch', { name: 'With badges' });
    await toggle.click();
    await expect.poll(() => toggle.isChecked()).toBe(true);
    const client = () => ok(desk.service.rest('GET', `/admin/clients/${desk.service.clientId}`));
    await expect.poll(async () => (await client()).badgesInRewardsWebhook).toBe(true);
  });
});
