import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { BadgeSchema } from '../../../gen/laurel/v1/badge_pb.ts';
import type {
  ListAccountBadgesRequest,
  ListAccountBadgesResponseSchema,
} from '../../../gen/laurel/v1/badge_service_pb.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../../clients/call.ts';
import { type BadgeRow, badgesFor } from './badges.queries.ts';

/** Lists the badges of the client for an account: proto BadgeService.ListAccountBadges. */
export function listAccountBadges(
  { db, principal }: Call,
  { accountId, idType }: ListAccountBadgesRequest,
): Promise<MessageInitShape<typeof ListAccountBadgesResponseSchema>> {
  return db.read(principal.clientId, async (uow) => {
    const account = await findAccountToRead(uow, { accountId, idType });
    return { rows: (await badgesFor(uow, account?.id)).map(toBadgeMessage) };
  });
}

function toBadgeMessage(row: BadgeRow): MessageInitShape<typeof BadgeSchema> {
  const secret = row.secret ?? false;
  const shown = {
    name: row.name,
    imageUrl: row.image_url ?? undefined,
    description: row.description ?? undefined,
  };
  return {
    rewardId: row.id,
    ...(secret && row.earned_at === null ? {} : shown),
    secret,
    earnedAt: row.earned_at === null ? undefined : timestampFromDate(row.earned_at),
    rarity: rarityOf(row),
  };
}

function rarityOf({ owners, accounts_counted: accounts, counted_at: countedAt }: BadgeRow) {
  if (owners === null || accounts === null || countedAt === null) return undefined;
  // Owners may have come after the accounts were counted.
  const share = accounts === 0 ? 0 : Math.min(owners / accounts, 1);
  return { owners, share, countedAt: timestampFromDate(countedAt) };
}
