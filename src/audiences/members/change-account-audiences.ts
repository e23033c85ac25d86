import { badRequest } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import { audiencesOfAccounts, deleteMembers, insertMembers } from '../audiences.queries.ts';
import { requireManualAudience } from './change-members.ts';

/** The audiences to join and to leave, by id. */
export type MembershipChange = { readonly join: readonly string[]; readonly leave: readonly string[] };

/** The names of the changed audiences, sorted. */
export type ChangedMemberships = { readonly joined: readonly string[]; readonly left: readonly string[] };

/**
 * Adds one account to MANUAL audiences and removes it from others. The caller has locked the account, because locks on accounts come before
 * locks on audiences.
 * @throws DomainError `BAD_REQUEST` for an audience in both lists, `AUDIENCE_NOT_FOUND`, `AUDIENCE_NOT_MANUAL`
 */
export async function changeAudiencesOf(
  uow: UnitOfWork,
  accountId: string,
  change: MembershipChange,
  now: Date,
): Promise<ChangedMemberships> {
  const join = new Set(change.join.map((id) => id.toLowerCase()));
  const leave = new Set(change.leave.map((id) => id.toLowerCase()));
  const both = [...join].find((id) => leave.has(id));
  if (both !== undefined)
    throw badRequest(
      sentence`The audience ${both} is in \`joinAudienceIds\` and in \`leaveAudienceIds\`. Send it in one of them.`,
    );
  const present = (await audiencesOfAccounts(uow, [accountId])).get(accountId) ?? new Map<string, number>();
  const joined: string[] = [];
  const left: string[] = [];
  // The ids are sorted, so that two changes never deadlock.
  for (const id of [...join, ...leave].toSorted()) {
    const audience = await requireManualAudience(uow, id);
    if (join.has(id) === present.has(id)) continue;
    if (join.has(id)) await insertMembers(uow, id, [accountId], now);
    else await deleteMembers(uow, id, [accountId], now);
    audience.updatedAt = now;
    (join.has(id) ? joined : left).push(audience.name);
  }
  return { joined: joined.toSorted(), left: left.toSorted() };
}
