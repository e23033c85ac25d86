import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type RestAnswer, startService, type TestService } from '../../support/service.ts';
import { differences } from '../rewards/provision.ts';

type Json = RestAnswer['body'];

/** The scene of a test: its own account, and its own code of AMOUNT events. */
export type StatisticsScene = {
  readonly service: TestService;
  /** At the end of all names of the scene. */
  readonly number: number;
  readonly code: string;
  /** The external id of the account that acts. */
  who: string;
  /** A call that must succeed. */
  ok(method: string, path: string, body?: Json): Promise<Json>;
  /** An event of the account. @param attributes sent beside the amount */
  trigger(amount: number, fields?: Json, attributes?: Json): Json;
  send(amount: number, fields?: Json, attributes?: Json): Promise<Json>;
  /** The statistics of an account, of all scenes. */
  listed(account?: string, query?: string): Promise<Json[]>;
  /** The values of the scene's statistics, by their codes without its number. */
  values(account?: string): Promise<Record<string, number>>;
};

/** A service for the tests of a file, and a scene that each of them changes. `verify` looks at all of them in the end. */
export function playStatistics(definition: Json = {}): StatisticsScene {
  let service: TestService;
  let number = 0;
  const ok: StatisticsScene['ok'] = async (method, path, body) => {
    const answer = await service.rest(method, path, body);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const scene: StatisticsScene = {
    get service() {
      return service;
    },
    get number() {
      return number;
    },
    get code() {
      return `COFFEE_${number}`;
    },
    who: '',
    ok,
    trigger(amount, fields = {}, attributes = {}) {
      const { code: programmaticCode, who: accountId } = scene;
      return { programmaticCode, accountId, idType: 'EXTERNAL', metadata: { amount, ...attributes }, ...fields };
    },
    send: (...event) => ok('POST', '/gamification/triggers', scene.trigger(...event)),
    async listed(account = scene.who, query = '') {
      const path = `/v1/accounts/${encodeURIComponent(account)}/statistics?idType=EXTERNAL${query}`;
      return (await ok('GET', path)).rows;
    },
    async values(account) {
      const end = `_${number}`;
      const own = (await scene.listed(account)).filter(({ code }) => code.endsWith(end));
      return Object.fromEntries(own.map(({ code, value }) => [code.slice(0, -end.length), value]));
    },
  };
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(async () => {
    expect(await differences(service.db, service.clientId)).toEqual([]);
    await service.close();
  });
  beforeEach(async () => {
    number += 1;
    scene.who = `account ${number}`;
    await ok('POST', '/admin/event-definitions', { programmaticCode: scene.code, type: 'AMOUNT', ...definition });
    await ok('POST', '/accounts', { externalId: scene.who });
  });
  return scene;
}
