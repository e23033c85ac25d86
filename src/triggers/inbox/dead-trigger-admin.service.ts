import type { ServiceImpl } from '@connectrpc/connect';
import type { DeadTriggerAdminService } from '../../../gen/laurel/admin/v1/dead_trigger_admin_service_pb.ts';
import { principalOf } from '../../clients/principal.ts';
import { afterResponse } from '../../kernel/after-response.ts';
import type { Database } from '../../persistence/database.ts';
import { discardDeadTrigger } from './discard-dead-trigger.ts';
import type { Inbox } from './inbox.ts';
import { listDeadTriggers } from './list-dead-triggers.ts';
import { replayDeadTrigger } from './replay-dead-trigger.ts';

/** Dead triggers of one client. `inbox` is told of what waits again. */
export function deadTriggerAdminService(db: Database, inbox: Pick<Inbox, 'wake'>) {
  return {
    listDeadTriggers: (request, context) => listDeadTriggers(db, principalOf(context), request),
    replayDeadTrigger: (request, context) => {
      const principal = principalOf(context);
      afterResponse(context, () => inbox.wake(principal.clientId));
      return replayDeadTrigger(db, principal, request);
    },
    discardDeadTrigger: (request, context) => discardDeadTrigger(db, principalOf(context), request),
  } satisfies ServiceImpl<typeof DeadTriggerAdminService>;
}
