import { createClient, type Transport } from '@connectrpc/connect';
import DataLoader from 'dataloader';
import { AgreementAdminService } from '../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import { AudienceAdminService } from '../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { CampaignAdminService } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { ChestAdminService } from '../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import { ProductAdminService } from '../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { PublicationAdminService } from '../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { RewardAdminService } from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { AccountService } from '../../../gen/laurel/v1/account_service_pb.ts';
import { filterOf } from '../table/filter-of.ts';

/** Returns the name of an id, or null for an unknown one. Concurrent requests become one call. */
export type NameLoader = DataLoader<string, string | null>;

/** Resources that the console shows by name. */
export type NamedKind =
  | 'account'
  | 'agreement'
  | 'audience'
  | 'campaign'
  | 'chest'
  | 'product'
  | 'publication'
  | 'reward';

type Names = readonly (readonly [id: string, name: string])[];
type Listing = (transport: Transport, ids: readonly string[]) => Promise<Names>;

const listings: Record<NamedKind, Listing> = {
  account: async (transport, ids) => {
    const { rows } = await createClient(AccountService, transport).listAccounts(pageOf(ids));
    return rows.map((row) => [row.id, row.externalId ?? row.name ?? row.id]);
  },
  agreement: async (transport, ids) =>
    namesIn((await createClient(AgreementAdminService, transport).listAgreements(pageOf(ids))).rows),
  audience: async (transport, ids) =>
    namesIn((await createClient(AudienceAdminService, transport).listAudiences(pageOf(ids))).rows),
  campaign: async (transport, ids) =>
    namesIn((await createClient(CampaignAdminService, transport).listCampaigns(pageOf(ids))).rows),
  chest: async (transport, ids) =>
    namesIn((await createClient(ChestAdminService, transport).listChestDefinitions(pageOf(ids))).rows),
  product: async (transport, ids) =>
    namesIn((await createClient(ProductAdminService, transport).listProducts(pageOf(ids))).rows),
  publication: async (transport, ids) =>
    namesIn((await createClient(PublicationAdminService, transport).listPublications(pageOf(ids))).rows),
  reward: async (transport, ids) =>
    namesIn((await createClient(RewardAdminService, transport).listRewards(pageOf(ids))).rows),
};

/** The names of one kind, without a cache, because the query client has one. */
export function createNameLoader(transport: Transport, kind: NamedKind): NameLoader {
  async function load(ids: readonly string[]): Promise<(string | null)[]> {
    const names = new Map(await listings[kind](transport, ids));
    return ids.map((id) => names.get(id) ?? null);
  }
  return new DataLoader(load, { cache: false, maxBatchSize: 1_000 });
}

/** Archived and deleted resources are included, because pages still show them. */
function pageOf(ids: readonly string[]) {
  return { page: 1, limit: ids.length, filters: { ...filterOf({ id: ids }), includeDeleted: true } };
}

function namesIn(rows: readonly { readonly id: string; readonly name: string }[]): Names {
  return rows.map(({ id, name }) => [id, name]);
}
