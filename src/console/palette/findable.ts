import type { DescMessage, DescMethodUnary, MessageShape } from '@bufbuild/protobuf';
import {
  Activity,
  Boxes,
  Building2,
  Contact,
  Gift,
  Handshake,
  Layers,
  type LucideIcon,
  PackageOpen,
  ScrollText,
  Sigma,
  Store,
  Target,
  Trophy,
  Users,
  Webhook,
} from 'lucide-react';
import { AgreementAdminService } from '../../../gen/laurel/admin/v1/agreement_admin_service_pb.ts';
import { AudienceAdminService } from '../../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { CampaignAdminService } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { ChestAdminService } from '../../../gen/laurel/admin/v1/chest_admin_service_pb.ts';
import { ClientAdminService } from '../../../gen/laurel/admin/v1/client_admin_service_pb.ts';
import { EventDefinitionAdminService } from '../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { JournalAdminService } from '../../../gen/laurel/admin/v1/journal_admin_service_pb.ts';
import type { JournalEntry } from '../../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { LeaderboardAdminService } from '../../../gen/laurel/admin/v1/leaderboard_admin_service_pb.ts';
import { LevelTrackAdminService } from '../../../gen/laurel/admin/v1/level_track_admin_service_pb.ts';
import { ProductAdminService } from '../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { PublicationAdminService } from '../../../gen/laurel/admin/v1/publication_admin_service_pb.ts';
import { RewardAdminService } from '../../../gen/laurel/admin/v1/reward_admin_service_pb.ts';
import { StatisticDefinitionAdminService } from '../../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import { WebhookAdminService } from '../../../gen/laurel/admin/v1/webhook_admin_service_pb.ts';
import { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { AccountService } from '../../../gen/laurel/v1/account_service_pb.ts';
import { isUuid } from '../api/uuid.ts';
import { clientPath } from '../session/client-address.ts';

/** A row that the palette offers. */
export type Hit = {
  /** Unique among all that is offered. */
  readonly key: string;
  readonly title: string;
  /** Further text, if the title may be ambiguous. */
  readonly hint?: string | undefined;
  readonly path: string;
  /** The unique names of the row, which come first in the results. */
  readonly ids: readonly string[];
};

/** A kind of thing that is found by name or id. Its heading is `palette.kinds.<key>`. */
export type FindableKind = {
  readonly key: FindableKey;
  readonly icon: LucideIcon;
  /** The list whose `search` finds it. */
  readonly method: DescMethodUnary;
  /** The permission to search and show it; every signed-in user may read the kinds without one. */
  readonly needs?: Permission;
  /** Whether a text may name a row, if the list finds only complete ids: other texts need no call. */
  readonly mayName?: (text: string) => boolean;
  /** The request for a text; by default the first page of its `search`. */
  readonly request?: (text: string) => object;
  /** The hits in an answer of `method`. */
  readonly hitsIn: (answer: unknown) => readonly Hit[];
};

type FindableKey =
  | 'account'
  | 'campaign'
  | 'product'
  | 'reward'
  | 'audience'
  | 'event'
  | 'leaderboard'
  | 'statistic'
  | 'level'
  | 'publication'
  | 'chest'
  | 'agreement'
  | 'delivery'
  | 'operation'
  | 'client';

function kind<Row, Output extends DescMessage>(
  method: DescMethodUnary<DescMessage, Output>,
  key: FindableKey,
  icon: LucideIcon,
  hitOf: (row: Row) => Omit<Hit, 'key'>,
  more: Pick<FindableKind, 'needs' | 'mayName' | 'request'> = {},
): FindableKind {
  const rowsOf = (answer: unknown) => (answer as MessageShape<Output> & { readonly rows: readonly Row[] }).rows;
  const toHit = (row: Row) => {
    const hit = hitOf(row);
    return { key: `${key} ${hit.ids[0]}`, ...hit };
  };
  return { key, icon, method, ...more, hitsIn: (answer) => rowsOf(answer).map(toHit) };
}

type Named = { readonly id: string; readonly name: string };
type Person = { readonly id: string; readonly externalId?: string; readonly name?: string; readonly email?: string };
type Definition = Named & { readonly programmaticCode: string };
type Coded = Named & { readonly code: string };

const named =
  (pathOf: (id: string) => string) =>
  ({ id, name }: Named) => ({ title: name, path: pathOf(id), ids: [id] });

/** Rows without a page: their list, filtered to the row. */
const listed = (path: string, search: string) => `${path}?${new URLSearchParams({ search })}`;

const coded =
  (path: string) =>
  ({ id, code, name }: Coded) => ({ title: name, hint: code, path: listed(path, code), ids: [id, code] });

/** Most rows of one kind. */
export const ROWS_MAX = 5;

/** A text that may be an operation id: shorter ones and sentences are names. */
const OPERATION_ID = /^\S{6,128}$/;

/** All kinds, in the order in which they are offered. */
export const findableKinds: readonly FindableKind[] = [
  kind<Person, typeof AccountService.method.listAccounts.output>(
    AccountService.method.listAccounts,
    'account',
    Contact,
    ({ id, externalId, name, email }) => ({
      title: externalId ?? name ?? email ?? id,
      hint: [externalId === undefined ? undefined : name, email].filter(Boolean).join(' · '),
      path: `/accounts/${id}`,
      ids: externalId === undefined ? [id] : [id, externalId],
    }),
    { needs: Permission.READ_ACCOUNTS },
  ),
  kind(
    CampaignAdminService.method.listCampaigns,
    'campaign',
    Target,
    named((id) => `/campaigns/${id}`),
  ),
  kind(
    ProductAdminService.method.listProducts,
    'product',
    Boxes,
    named((id) => `/products/${id}`),
  ),
  kind(
    RewardAdminService.method.listRewards,
    'reward',
    Gift,
    named((id) => listed('/rewards', id)),
  ),
  kind(
    AudienceAdminService.method.listAudiences,
    'audience',
    Users,
    named((id) => `/audiences/${id}`),
  ),
  kind<Definition, typeof EventDefinitionAdminService.method.listEventDefinitions.output>(
    EventDefinitionAdminService.method.listEventDefinitions,
    'event',
    Activity,
    ({ id, programmaticCode, name }) => ({
      title: programmaticCode,
      hint: name,
      path: listed('/events', programmaticCode),
      ids: [id, programmaticCode],
    }),
  ),
  kind(
    LeaderboardAdminService.method.listLeaderboards,
    'leaderboard',
    Trophy,
    named((id) => `/leaderboards/${id}`),
  ),
  kind(StatisticDefinitionAdminService.method.listStatisticDefinitions, 'statistic', Sigma, coded('/statistics')),
  kind(LevelTrackAdminService.method.listLevelTracks, 'level', Layers, coded('/levels')),
  kind(
    PublicationAdminService.method.listPublications,
    'publication',
    Store,
    named((id) => `/marketplace/publications/${id}`),
  ),
  kind(
    ChestAdminService.method.listChestDefinitions,
    'chest',
    PackageOpen,
    named((id) => `/rewards/chests/${id}`),
  ),
  kind(
    AgreementAdminService.method.listAgreements,
    'agreement',
    Handshake,
    named((id) => `/marketplace/agreements/${id}`),
  ),
  kind<
    { readonly id: string; readonly target: string },
    typeof WebhookAdminService.method.listWebhookDeliveries.output
  >(
    WebhookAdminService.method.listWebhookDeliveries,
    'delivery',
    Webhook,
    ({ id, target }) => ({ title: id, hint: target, path: `/webhooks/deliveries/${id}`, ids: [id] }),
    { mayName: isUuid },
  ),
  kind<JournalEntry, typeof JournalAdminService.method.listJournalEntries.output>(
    JournalAdminService.method.listJournalEntries,
    'operation',
    ScrollText,
    ({ operationId = '', programmaticCode }) => ({
      title: operationId,
      hint: programmaticCode,
      path: `/journal?${new URLSearchParams({ operation: operationId })}`,
      ids: [operationId],
    }),
    { mayName: (text) => OPERATION_ID.test(text), request: (operationId) => ({ operationId, limit: ROWS_MAX }) },
  ),
  kind(ClientAdminService.method.listClients, 'client', Building2, named(clientPath), {
    needs: Permission.ACT_FOR_ANY_CLIENT,
  }),
];
