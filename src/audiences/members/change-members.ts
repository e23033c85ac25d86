import type { MessageInitShape } from '@bufbuild/protobuf';
import type { AudienceSchema } from '../../../gen/laurel/v1/audience_pb.ts';
import { indexAccounts } from '../../accounts/account-index.ts';
import { lockAccounts } from '../../accounts/resolving/resolve-accounts.ts';
import type { Principal } from '../../clients/principal.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { Database, UnitOfWork } from '../../persistence/database.ts';
import { toAudienceMessage } from '../audience-message.ts';
import type { AudienceEntity } from '../audience.entity.ts';
import { requireAudience } from '../require-audience.ts';

/** The most unknown ids that a message lists; it counts the others. */
const NAMED_MAX = 10;

/** A change of members; `accountIds` are canonical and unique. */
export type MemberChange = (uow: UnitOfWork, audienceId: string, accountIds: readonly string[]) => Promise<void>;

/**
 * Changes the members of a MANUAL audience, for all accounts or none.
 * @throws DomainError `AUDIENCE_NOT_FOUND`, `AUDIENCE_NOT_MANUAL`, `ACCOUNT_NOT_FOUND` naming the unknown ids
 */
export function changeMembers(
  db: Database,
  principal: Principal,
  request: { readonly audienceId: string; readonly accountIds: readonly string[] },
  now: Date,
  change: MemberChange,
): Promise<{ audience: MessageInitShape<typeof AudienceSchema> }> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    // Locks follow the order of the whole service: accounts before audiences.
    const accountIds = await requireAccounts(uow, request.accountIds);
    const audience = await requireManualAudience(uow, request.audienceId);
    await change(uow, audience.id, accountIds);
    audience.updatedAt = now;
    return { audience: toAudienceMessage(audience) };
  });
}

/**
 * One MANUAL audience, locked until the transaction ends.
 * @throws DomainError `AUDIENCE_NOT_FOUND`, `AUDIENCE_NOT_MANUAL`
 */
export async function requireManualAudience(uow: UnitOfWork, id: string): Promise<AudienceEntity> {
  const audience = await requireAudience(uow, id, { forChange: true });
  if (audience.kind === 'MANUAL') return audience;
  throw new DomainError(
    'AUDIENCE_NOT_MANUAL',
    audience.kind === 'EVERYONE'
      ? sentence`Every account is in this audience: nothing to assign or remove.`
      : sentence`The accounts for which its expression holds are in this audience: nothing to assign or remove.`,
  );
}

async function requireAccounts(uow: UnitOfWork, sent: readonly string[]): Promise<string[]> {
  const ids = [...new Set(sent.map((id) => id.toLowerCase()))];
  const { find } = indexAccounts(await lockAccounts(uow, ids, 'presence'));
  const unknown = ids.filter((id) => !find({ id }));
  if (unknown.length === 0) return [...new Set(ids.map((id) => find({ id })!.id))];
  const more = unknown.length > NAMED_MAX ? sentence` and ${unknown.length - NAMED_MAX} more` : '';
  throw new DomainError(
    'ACCOUNT_NOT_FOUND',
    sentence`No account was changed, because these are unknown: ${unknown.slice(0, NAMED_MAX)}${more}.`,
  );
}
