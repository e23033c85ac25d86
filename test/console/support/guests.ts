import { expirePoints } from '../../../src/loyalty/expire-points.ts';
import { ok } from '../../support/administration.ts';
import type { TestService } from '../../support/service.ts';
import type { movableClock } from './clock.ts';

/** Ids of the resources in the tickets of a coffee shop's guests. */
export type Guests = Readonly<Record<'elif' | 'farid' | 'gina' | 'hana' | 'ivan' | 'newsletter' | 'dana', string>>;

/** Creates the causes of the guests' complaints, through the API, in the days before. */
export async function annoyGuests(service: TestService, clock: ReturnType<typeof movableClock>): Promise<Guests> {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
  const post = (path: string, body: unknown = {}): Promise<any> => ok(service.rest('POST', path, body));
  clock.putTo(-6, 9);
  for (const programmaticCode of ['LUNCH', 'BREAKFAST', 'SURVEY', 'RECEIPT', 'VISIT'])
    await post('/admin/event-definitions', { programmaticCode, type: 'SINGLE' });
  const everyone = await post('/admin/audiences', { name: 'Every guest', kind: 'EVERYONE' });
  const newsletter = await post('/admin/audiences', { name: 'Newsletter readers', kind: 'MANUAL' });
  const mug = await post('/admin/products', { name: 'Mug', stockMode: 'COUNTED', stock: 5, pointsCost: 20 });
  const reward = async (fields: object): Promise<string> => (await post('/admin/rewards', fields)).id;
  const points = await reward({ name: '30 points', type: 'POINTS', amount: 30, expiresInDays: 3 });
  const mugs = await reward({ name: 'A pair of mugs', type: 'PRODUCTS', amount: 2, productId: mug.id });
  const campaign = async (name: string, rewardId: string, mission: object, audienceId = everyone.id) => {
    const missions = [{ type: 'MISSION', name, target: 1, ...mission }];
    const made = await post('/admin/campaigns', { name, audienceIds: [audienceId], rewardIds: [rewardId], missions });
    await post(`/admin/campaigns/${made.id}/activate`);
  };
  await campaign('Lunch break', points, {
    programmaticCode: 'LUNCH',
    conditions: { timeFrom: '11:00', timeTo: '14:00' },
  });
  await campaign('Early birds', mugs, { programmaticCode: 'BREAKFAST' });
  await campaign('Ten questions', points, { programmaticCode: 'SURVEY' });
  await campaign('Readers’ week', points, { programmaticCode: 'RECEIPT' }, newsletter.id);
  await campaign('Five days in a row', points, {
    type: 'STREAK',
    programmaticCode: 'VISIT',
    target: 5,
    period: 'DAY',
  });
  const guest = async (externalId: string): Promise<string> => (await post('/accounts', { externalId })).id;
  const send = (programmaticCode: string, accountId: string) =>
    post('/gamification/triggers', { programmaticCode, accountId, idType: 'EXTERNAL' });
  const named = async (name: string) => guest(`guest-${name}`);
  const ids = {
    elif: await named('elif'),
    farid: await named('farid'),
    gina: await named('gina'),
    hana: await named('hana'),
    ivan: await named('ivan'),
  };
  const dana = await guest('guest-dana');

  await send('SURVEY', 'guest-cleo');
  // Auckland is 13 hours ahead in November: there these are the mornings of three days in a row, and in UTC one is missing.
  clock.putTo(-5, 20);
  await send('VISIT', 'guest-elif');
  clock.putTo(-4, 20);
  await send('VISIT', 'guest-elif');
  clock.putTo(-2, 10);
  await send('VISIT', 'guest-elif');
  clock.putTo(-1, 16);
  await send('LUNCH', 'guest-ada');
  clock.putRight();
  await send('RECEIPT', 'guest-dana');
  await expirePoints(service.db, service.clientId, clock.now());
  await post(`/admin/accounts/${ids.farid}/points/adjust`, { amount: 50, reason: 'A gift.' });
  await post(`/loyalty/products/${mug.id}/redeem`, { accountId: ids.farid, quantity: 1 });
  await send('SURVEY', 'guest-hana');
  await post(`/loyalty/products/${mug.id}/redeem`, { accountId: ids.hana, quantity: 1 });
  await send('SURVEY', 'guest-ivan');
  await send('BREAKFAST', 'guest-finn');
  await send('BREAKFAST', 'guest-ben');
  return { ...ids, dana, newsletter: newsletter.id };
}
