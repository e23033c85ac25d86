import { Secret, TOTP } from 'otpauth';
import { settledUser, signIn } from '../../operations/clients/console.ts';
import { load } from '../../operations/imports/files.ts';
import { type Receiver, startReceiver } from '../../operations/webhooks/receiver.ts';
import { ok } from '../../support/administration.ts';
import type { TestService } from '../../support/service.ts';
import type { movableClock } from './clock.ts';

/** The credentials of a user who signs in over the API. */
type Colleague = Awaited<ReturnType<typeof settledUser>>;

/** The resources in the tickets of a coffee shop's staff. */
export type Troubles = {
  readonly receiver: Receiver;
  /** Makes the webhook's receiver answer correctly from now on. */
  mend(): void;
  readonly publication: string;
  readonly withoutApp: Colleague;
  readonly forgetful: Colleague;
  readonly mover: string;
};

const GUESTS = [
  'externalId;email;audience',
  'guest-iris;iris@example.com;Regulars',
  'guest-jon;jon@example.com;VIPs',
  'guest-kim;kim at example.com;Regulars',
  'guest-lea;lea@example.com;Regulars',
  'guest-iris;iris@example.org;Regulars',
  'guest-max;max@example.com',
].join('\n');

/** Creates the causes of the staff's complaints in a coffee shop, through the API, in the days before. */
export async function troubleShop(service: TestService, clock: ReturnType<typeof movableClock>): Promise<Troubles> {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
  const post = (path: string, body: unknown = {}, token?: string): Promise<any> =>
    ok(service.rest('POST', path, body, token));
  clock.putTo(-4, 9);
  const mover = await moveEnd(service, clock);
  clock.putRight();
  const { receiver, mend } = await breakReceiver(service);
  const cinema = await post('/admin/products', { name: 'Cinema voucher', stockMode: 'CODES' });
  await post(`/admin/products/${cinema.id}/codes`, { codes: ['CINE-4711', 'CINE-4712', 'CINE-4713'] });
  await giveTo(service, cinema.id, ['guest-hal', 'guest-hans']);
  const tickets = await post('/admin/products', { name: 'Concert ticket', stockMode: 'COUNTED', stock: 100 });
  const publication = await post('/admin/publications', {
    name: 'Concert in the park',
    productId: tickets.id,
    stock: 5,
  });
  await post(`/marketplace/publications/${publication.id}/publish`);
  for (const name of ['Nia', 'Omar', 'Pia', 'Quim', 'Rosa']) {
    const { id: accountId } = await post('/accounts', { name });
    await post(`/marketplace/publications/redeem/${publication.id}`, { accountId });
  }
  await post('/admin/audiences', { name: 'Regulars', kind: 'MANUAL' });
  await load(service, GUESTS, { fileName: 'guests.csv' });
  const withoutApp = await secure(service, clock);
  const forgetful = await forget(service);
  return { receiver, mend, publication: publication.id, withoutApp, forgetful, mover };
}

/** A campaign whose end a colleague moves to the day before yesterday, before that day. Returns the colleague's e-mail. */
async function moveEnd(service: TestService, clock: ReturnType<typeof movableClock>): Promise<string> {
  const colleague = await settledUser(service, undefined, 'MARKETER');
  const token = colleague.answer.body.accessToken as string;
  const everyone = await ok(service.rest('POST', '/admin/audiences', { name: 'Every guest', kind: 'EVERYONE' }));
  const points = await ok(service.rest('POST', '/admin/rewards', { name: '5 points', type: 'POINTS', amount: 5 }));
  await ok(service.rest('POST', '/admin/event-definitions', { programmaticCode: 'LAP', type: 'SINGLE' }));
  const [in30Days, in2Days] = [30, 2].map((days) => new Date(clock.now().getTime() + days * 86_400_000));
  const mission = { type: 'MISSION', name: 'Ten laps', programmaticCode: 'LAP', target: 10 };
  const draft = { name: 'Autumn race', audienceIds: [everyone.id], rewardIds: [points.id], missions: [mission] };
  const made = await ok(service.rest('POST', '/admin/campaigns', { ...draft, endsAt: in30Days }));
  const { id, version } = await ok(service.rest('POST', `/admin/campaigns/${made.id}/activate`));
  const campaign = { ...draft, endsAt: in2Days, missions: [{ ...mission, id: made.missions[0].id }] };
  await ok(service.rest('PUT', `/admin/campaigns/${id}`, { version, campaign }, token));
  return colleague.email;
}

async function breakReceiver(service: TestService): Promise<Pick<Troubles, 'receiver' | 'mend'>> {
  let isBroken = true;
  const receiver = await startReceiver((_, response) => {
    if (isBroken) response.writeHead(507).end('The disk is full.');
    else response.writeHead(204).end();
  });
  await ok(service.rest('PUT', '/webhooks/rewards', { endpoint: `${receiver.url}/rewards`, signed: true }));
  return {
    receiver,
    mend() {
      isBroken = false;
    },
  };
}

/** A campaign that gives units of a product for one event, and accounts that send it. */
async function giveTo(service: TestService, productId: string, externalIds: readonly string[]): Promise<void> {
  const post = (path: string, body: unknown = {}) => ok(service.rest('POST', path, body));
  await post('/admin/event-definitions', { programmaticCode: 'CINEMA', type: 'SINGLE' });
  const reward = await post('/admin/rewards', { name: 'A cinema voucher', type: 'PRODUCTS', amount: 1, productId });
  const audience = await post('/admin/audiences', { name: 'Cinemagoers', kind: 'EVERYONE' });
  const { id } = await post('/admin/campaigns', {
    name: 'At the pictures',
    audienceIds: [audience.id],
    rewardIds: [reward.id],
    missions: [{ type: 'MISSION', name: 'See a film', programmaticCode: 'CINEMA', target: 1 }],
  });
  await post(`/admin/campaigns/${id}/activate`);
  for (const accountId of externalIds)
    await post('/gamification/triggers', { programmaticCode: 'CINEMA', accountId, idType: 'EXTERNAL' });
}

/** A colleague who has lost the app of the second factor. */
async function secure(service: TestService, clock: ReturnType<typeof movableClock>): Promise<Colleague> {
  const colleague = await settledUser(service, undefined, 'MARKETER');
  const token = colleague.answer.body.accessToken as string;
  const factor = (step: string, body: object) =>
    ok(service.rest('POST', `/admin/session/second-factor/${step}`, body, token));
  const { secret } = await factor('begin', { currentPassword: colleague.password });
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() });
  await factor('confirm', { code });
  return colleague;
}

/** A colleague who has tried so many wrong passwords that the right one is refused for a while. */
async function forget(service: TestService): Promise<Colleague> {
  const colleague = await settledUser(service, undefined, 'SUPPORT');
  const wrong = { ...colleague, password: 'not the right password' };
  let status = 0;
  for (let tries = 0; status !== 429 && tries < 100; tries += 1) ({ status } = await signIn(service, wrong));
  if (status !== 429) throw new Error('A hundred wrong passwords locked nobody out.');
  return colleague;
}
