import { createClient, type Transport } from '@connectrpc/connect';
import { AccountService } from '../../../../gen/laurel/v1/account_service_pb.ts';
import { filterOf } from '../../table/filter-of.ts';

/** The accounts of external ids, and the unknown ids. */
export type FoundAccounts = { readonly ids: readonly string[]; readonly unknown: readonly string[] };

/** As many external ids as one filter takes. */
const AT_ONCE = 1_000;

/** Finds accounts by external id, as typed; creates none. */
export async function findAccounts(transport: Transport, externalIds: readonly string[]): Promise<FoundAccounts> {
  const client = createClient(AccountService, transport);
  const found = new Map<string, string>();
  for (let first = 0; first < externalIds.length; first += AT_ONCE) {
    const some = externalIds.slice(first, first + AT_ONCE);
    const { rows } = await client.listAccounts({
      page: 1,
      limit: AT_ONCE,
      filters: filterOf({ externalId: some }),
    });
    for (const { id, externalId = '' } of rows) found.set(externalId, id);
  }
  return { ids: [...found.values()], unknown: externalIds.filter((externalId) => !found.has(externalId)) };
}
