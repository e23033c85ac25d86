import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ClientSchema } from '../../gen/laurel/admin/v1/client_pb.ts';
import { type PartOf, propertiesOf } from '../persistence/columns-of.ts';
import { toStreakSettingsMessage } from './streak-settings.ts';
import { type ClientEntity, clientTable } from './client.entity.ts';

/** The API message of a client. */
export const CLIENT = propertiesOf(clientTable, [
  'id',
  'name',
  'timeZone',
  'requireSecondFactor',
  'backfillDaysMax',
  'badgesInRewardsWebhook',
  'outlierThreshold',
  'streakSettings',
  'accountTokenOrigins',
  'version',
  'createdAt',
  'updatedAt',
]);

/** A client as the API shows it. */
export function toClientMessage(client: PartOf<ClientEntity, typeof CLIENT>): MessageInitShape<typeof ClientSchema> {
  return {
    id: client.id,
    name: client.name,
    timeZone: client.timeZone,
    requireSecondFactor: client.requireSecondFactor,
    backfillDaysMax: client.backfillDaysMax,
    badgesInRewardsWebhook: client.badgesInRewardsWebhook,
    outlierThreshold: client.outlierThreshold,
    streaks: toStreakSettingsMessage(client.streakSettings),
    accountTokens: client.accountTokenOrigins ? { origins: [...client.accountTokenOrigins] } : undefined,
    version: client.version,
    createdAt: timestampFromDate(client.createdAt),
    updatedAt: timestampFromDate(client.updatedAt),
  };
}
