import type { Player } from './player.ts';

/** Creates an explicit campaign that ada can claim, missions for a chest and for a product without stock, and products to buy. */
export async function prepareDemo({ call }: Player) {
  for (const programmaticCode of ['WAITS', 'CHEST'])
    await call('/admin/event-definitions', { programmaticCode, type: 'SINGLE' });
  const { body: audience } = await call('/admin/audiences', { name: 'All', kind: 'EVERYONE' });
  const { body: scarce } = await call('/admin/products', { name: 'Scarce', stockMode: 'COUNTED' });
  const { body: mug } = await call('/admin/products', {
    name: 'Mug',
    stockMode: 'UNLIMITED',
    pointsCost: 10,
    fragmentsRequired: 3,
  });
  const { body: waits } = await call('/admin/rewards', {
    name: 'Scarce',
    type: 'PRODUCTS',
    amount: 1,
    productId: scarce.id,
  });
  const { body: points } = await call('/admin/rewards', { name: 'Points', type: 'POINTS', amount: 500 });
  const { body: pieces } = await call('/admin/rewards', {
    name: 'Pieces',
    type: 'FRAGMENTS',
    amount: 2,
    productId: mug.id,
  });
  const { body: chestDefinition } = await call('/admin/chests', {
    name: 'Chest',
    entries: [
      { rewardId: points.id, weight: 1 },
      { rewardId: waits.id, guaranteed: true },
    ],
  });
  const { body: chest } = await call('/admin/rewards', {
    name: 'Chest',
    type: 'CHEST',
    amount: 1,
    chestId: chestDefinition.id,
  });
  const mission = (name: string, programmaticCode: string, rewardIds: string[]) => ({
    type: 'MISSION',
    name,
    programmaticCode,
    target: 1,
    rewardIds,
  });
  const { body: campaign } = await call('/admin/campaigns', {
    name: 'By claim',
    claimPolicy: 'EXPLICIT',
    audienceIds: [audience.id],
    rewardIds: [points.id, waits.id, pieces.id],
    missions: [mission('Waits', 'WAITS', [waits.id]), mission('Chest', 'CHEST', [chest.id])],
  });
  await call(`/admin/campaigns/${campaign.id}/activate`, {});
  const { body: publication } = await call('/admin/publications', {
    name: 'Mug',
    productId: mug.id,
    stock: 10,
    pointsCost: 20,
  });
  await call(`/marketplace/publications/${publication.id}/publish`, {});
  return { campaignId: campaign.id as string, productId: mug.id as string, publicationId: publication.id as string };
}
