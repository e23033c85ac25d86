import { describe, expect, it } from 'vitest';
import { en } from '../../src/console/messages/en/index.ts';
import { newGame } from '../support/game.ts';
import { ok } from '../support/administration.ts';
import { operatorsDesk } from './support/desk.ts';
import { choose, press } from './support/dialogs.ts';

const desk = operatorsDesk();
const at = () => ({ page: desk.page, m: en });
const admin = (method: string, path: string, body?: unknown) => ok(desk.service.rest(method, path, body));
const dialog = () => desk.page.getByRole('dialog');

let made = 0;
const name = () => `Thing ${++made}`;

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies as their readers would.
type Thing = any;

/** A resource on the screen, another person's change of it, and the click on the page from before that change. */
type Click = {
  readonly at: string;
  /** The method of the change; PUT by default. */
  readonly by?: 'PATCH';
  readonly page?: (id: string) => string;
  readonly make: () => Promise<Thing>;
  readonly change: (thing: Thing) => unknown;
  readonly click: (thing: Thing) => Promise<void>;
  /** The button of the dialog that asks. */
  readonly confirm: string;
};

async function campaign(activate: boolean): Promise<Thing> {
  const { campaignId } = await newGame(desk.service, { activate });
  return admin('GET', `/admin/campaigns/${campaignId}`);
}
const campaigns = (activate: boolean) => ({
  at: '/admin/campaigns',
  page: (id: string) => `/campaigns/${id}`,
  make: () => campaign(activate),
  change: ({ name: former, audienceIds, rewardIds, missions }: Thing) => ({
    campaign: {
      name: former,
      description: 'From the other tab',
      audienceIds,
      rewardIds,
      missions: missions.map(({ id, type, name: called, programmaticCode, target }: Thing) => ({
        id,
        type,
        name: called,
        programmaticCode,
        target,
      })),
    },
  }),
});
const points = () => admin('POST', '/admin/rewards', { name: name(), type: 'POINTS', amount: 1 });

const clicks: Readonly<Record<string, Click>> = {
  'Activate of a campaign': {
    ...campaigns(false),
    click: () => press(at(), en.campaigns.activate),
    confirm: en.campaigns.activate,
  },
  'Pause of a campaign': {
    ...campaigns(true),
    click: () => press(at(), en.campaigns.pause),
    confirm: en.campaigns.pause,
  },
  'End of a campaign': { ...campaigns(true), click: () => choose(at(), en.campaigns.end), confirm: en.campaigns.end },
  'Delete of a campaign': {
    ...campaigns(false),
    click: () => choose(at(), en.campaigns.remove),
    confirm: en.campaigns.remove,
  },
  'End of a mission': {
    at: '/admin/missions',
    page: (id) => `/campaigns/missions/${id}`,
    async make() {
      const { id: audienceId } = await admin('POST', '/admin/audiences', { name: name(), kind: 'EVERYONE' });
      const mission = { type: 'MISSION', name: name(), programmaticCode: 'LOGIN', target: 1 };
      return admin('POST', '/admin/missions', { audienceId, mission });
    },
    change: ({ type, programmaticCode, target }) => ({
      mission: { type, name: 'From the other tab', programmaticCode, target },
    }),
    click: () => press(at(), en.campaigns.end),
    confirm: en.campaigns.end,
  },
  'Archive of a product': {
    at: '/admin/products',
    page: (id) => `/products/${id}`,
    make: () => admin('POST', '/admin/products', { name: name(), stockMode: 'UNLIMITED' }),
    change: () => ({ name: 'From the other tab' }),
    click: () => choose(at(), en.products.archive),
    confirm: en.products.archive,
  },
  'Archive of a reward': {
    at: '/admin/rewards',
    page: () => '/rewards',
    make: points,
    change: ({ name: former }) => ({ name: `${former} from the other tab` }),
    click: ({ name: row }) => choose(at(), en.rewards.archive, row),
    confirm: en.rewards.archive,
  },
  'Archive of a chest': {
    at: '/admin/chests',
    page: (id) => `/rewards/chests/${id}`,
    async make() {
      const { id } = await points();
      return admin('POST', '/admin/chests', { name: name(), entries: [{ rewardId: id, weight: 1 }] });
    },
    change: ({ entries }) => ({ name: 'From the other tab', entries }),
    click: () => press(at(), en.rewards.archive),
    confirm: en.rewards.archive,
  },
  'Delete of an audience': {
    at: '/admin/audiences',
    page: (id) => `/audiences/${id}`,
    make: () => admin('POST', '/admin/audiences', { name: name(), kind: 'MANUAL' }),
    change: () => ({ name: 'From the other tab' }),
    click: () => choose(at(), en.audiences.remove),
    confirm: en.audiences.remove,
  },
  'Delete of an event definition': {
    at: '/admin/event-definitions',
    page: () => '/events',
    make: () => admin('POST', '/admin/event-definitions', { programmaticCode: `CODE_${++made}`, type: 'SINGLE' }),
    change: () => ({ name: 'From the other tab' }),
    click: ({ programmaticCode }) => choose(at(), en.events.remove, programmaticCode),
    confirm: en.events.remove,
  },
  'Delete of a publication': {
    at: '/admin/publications',
    by: 'PATCH',
    page: (id) => `/marketplace/publications/${id}`,
    async make() {
      const { id: productId } = await admin('POST', '/admin/products', { name: name(), stockMode: 'UNLIMITED' });
      return admin('POST', '/admin/publications', { productId, name: name(), pointsCost: 1, stock: 1 });
    },
    change: () => ({ name: 'From the other tab' }),
    click: () => choose(at(), en.marketplace.remove),
    confirm: en.marketplace.remove,
  },
};

describe('What somebody else has changed since this page read it', () => {
  it.each(Object.entries(clicks))(
    'is left as it is: %s is refused beside its button, however often it is pressed, and done once it was looked at',
    async (_name, { at: path, by = 'PUT', page, make, change, click, confirm }) => {
      const thing = await make();
      await desk.open(page?.(thing.id) ?? '/');
      await click(thing);
      await dialog().getByRole('button', { name: confirm, exact: true }).waitFor();
      await admin(by, `${path}/${thing.id}`, { version: thing.version, ...(change(thing) as object) });
      const changed = await admin('GET', `${path}/${thing.id}`);
      await desk.inDialog(confirm).click();
      await dialog()
        .getByRole('alert')
        .getByText(/CLIENT_ADMIN.* changed it/)
        .waitFor();
      const requests: string[] = [];
      desk.page.on('request', (request) => requests.push(request.url()));
      await desk.inDialog(confirm).click();
      await expect.poll(() => requests.some((url) => /AdminService\/(Acti|Pau|End|Del|Arch)/.test(url))).toBe(true);
      await dialog()
        .getByRole('alert')
        .getByText(/changed it/)
        .waitFor();
      expect(await admin('GET', `${path}/${thing.id}`)).toEqual(changed);
      await desk.page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      await desk.page.reload();
      await click({ ...changed, programmaticCode: thing.programmaticCode });
      await desk.inDialog(confirm).click();
      await dialog().waitFor({ state: 'detached' });
      const { status, body } = await desk.service.rest('GET', `${path}/${thing.id}`);
      if (status !== 404) expect(body).not.toEqual(changed);
    },
  );
});
