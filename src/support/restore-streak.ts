import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  AccountAdminService,
  type RestoreStreakRequest,
  type RestoreStreakResponse,
  RestoreStreakResponseSchema,
} from '../../gen/laurel/admin/v1/account_admin_service_pb.ts';
import { JournalEntry_Effect as Effect } from '../../gen/laurel/admin/v1/journal_entry_pb.ts';
import { create } from '@bufbuild/protobuf';
import { suspension } from '../accounts/accounts-of-batch.ts';
import { requireAccount } from '../accounts/resolving/resolve-accounts.ts';
import type { Catalogs } from '../campaigns/catalog/catalog.ts';
import { restoreRun, type RestoredRun } from '../campaigns/streaks/restore-run.ts';
import type { Call } from '../clients/call.ts';
import { namedAccount } from '../idempotency/content.ts';
import { writeJournal } from '../journal/journal.queries.ts';
import { checkedText } from '../kernel/text.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { byId, runSupportAction } from './support-action.ts';

/** Restores a run of an account, or says what that would do: proto AccountAdminService.RestoreStreak. */
export async function restoreStreak(
  call: Call,
  request: RestoreStreakRequest,
  catalogs: Catalogs,
): Promise<RestoreStreakResponse> {
  const { accountId, idType, missionId, length, dryRun } = request;
  const { now } = call;
  checkedText(request.reason, '`reason`');

  async function restore(uow: UnitOfWork) {
    const catalog = await catalogs(uow);
    const account = await requireAccount(uow, { accountId, idType }, 'change');
    const refusal = suspension(account);
    if (refusal) throw refusal;
    const restored = await restoreRun(uow, catalog, account, { missionId, length, now });
    return { account, restored, name: catalog.missions.get(missionId)?.name ?? missionId };
  }

  if (dryRun) {
    const { restored } = await call.db.rehearse(call.principal.clientId, restore);
    return create(RestoreStreakResponseSchema, answerOf(restored));
  }
  return runSupportAction(call, {
    method: AccountAdminService.method.restoreStreak,
    request,
    content: [...namedAccount(idType, accountId), missionId, `${length ?? ''}`],
    async work(uow) {
      const { account, restored, name } = await restore(uow);
      const answer = answerOf(restored);
      const { previous, current } = answer;
      const { programmaticCode, target } = restored;
      await writeJournal(
        uow,
        [
          {
            ...{ accountId: account.id, occurredAt: now, programmaticCode },
            ...{ operationId: undefined, effect: Effect.RESTORED },
            details: { missions: [[missionId, previous, current, target]] },
          },
        ],
        'byHash',
      );
      return { answer, change: { ...byId(account.id), note: `${name} ${previous} -> ${current}` } };
    },
  });
}

function answerOf({ before, after }: RestoredRun) {
  const keepUntil = after.today?.keepUntil;
  return {
    previous: before.streak!.current,
    current: after.streak!.current,
    longest: after.streak!.longest,
    keepUntil: keepUntil === undefined ? undefined : timestampFromMs(keepUntil),
  } satisfies MessageInitShape<typeof RestoreStreakResponseSchema>;
}
