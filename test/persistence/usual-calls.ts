import { newGame } from '../support/game.ts';
import { restAs, type TestService } from '../support/service.ts';

/**
 * The results of calls of a new client with times, amounts, texts, searches and sums. Ids and times near the present are replaced, so that
 * each run has the same results.
 */
export async function usualCalls(service: TestService): Promise<unknown> {
  const tenant = await service.newTenant('America/New_York');
  const rest = restAs(service.baseUrl, tenant);
  const seen: unknown[] = [];
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await rest(method, path, body);
    seen.push([`${method} ${path.replace(UUID, '<id>')}`, answer.status, answer.body]);
    return answer.body;
  };
  const name = String.raw`O'Neill \ "Ñandú" NULL ''; --`;
  await newGame(
    { rest, adminToken: tenant.adminToken },
    {
      rewards: [{ name: '0.1 points', type: 'POINTS', amount: 0.1, expiresInDays: 3 }],
      campaign: { name, startsAt: '2026-01-31T23:30:00Z', endsAt: '2099-12-01T10:20:30.123Z' },
      missions: [
        { programmaticCode: 'LOGIN' },
        { programmaticCode: 'PURCHASE', type: 'ROUTINE', target: 3, period: 'DAY', occurrences: 2 },
      ],
    },
  );
  const account = await call('POST', '/accounts', {
    externalId: name,
    name,
    email: 'o@example.com',
    metadata: { a: null },
  });
  await call('PATCH', `/accounts/${account.id}`, { name: null, timeZone: 'Europe/Berlin' });
  const event = { accountId: name, idType: 'EXTERNAL', metadata: { amount: 0.3 } };
  await call('POST', '/gamification/triggers', { ...event, programmaticCode: 'PURCHASE', operationId: name });
  await call('POST', '/gamification/triggers', { ...event, programmaticCode: 'PURCHASE', operationId: name });
  await call('POST', '/gamification/triggers/batch', {
    triggers: [0, 1].map((index) => ({ ...event, programmaticCode: 'LOGIN', operationId: `${name}${index}` })),
  });
  await call('GET', `/v1/feed/account/${account.id}`);
  await call('GET', `/loyalty/points/account/${account.id}`);
  await call('GET', `/loyalty/points/account/${account.id}/history`);
  const product = await call('POST', '/admin/products', { name, stockMode: 'CODES', pointsCost: 0.1 });
  await call('POST', `/admin/products/${product.id}/codes`, { codes: ['\\x41', 'NULL', "b'"] });
  await call('POST', '/loyalty/redeem', { accountId: account.id, productId: product.id, operationId: name });
  await call('GET', `/accounts/paginated?page=1&limit=10&search=${encodeURIComponent('neill \\ "ñ')}`);
  await call('POST', '/admin/audiences', { name, kind: 'MANUAL' });
  await call('GET', '/admin/campaigns/paginated?page=1&limit=10&orderBy=startsAt');
  await call('GET', '/admin/audit/paginated?page=1&limit=3');
  return JSON.parse(JSON.stringify(seen), (_key, value: unknown) =>
    typeof value === 'string' ? withoutChance(value) : value,
  );
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const MOMENT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const DAY_MS = 86_400_000;

/** Texts that differ between runs: the distance of times from the present becomes whole days. */
function withoutChance(text: string): string {
  if (!MOMENT.test(text)) return text.replaceAll(UUID, '<id>').replaceAll(/\b[0-9a-f]{32}\b/g, '<trace>');
  const days = (Date.parse(text) - Date.now()) / DAY_MS;
  return Math.abs(days) > 30 ? text : `in ${Math.round(days)} days`;
}
