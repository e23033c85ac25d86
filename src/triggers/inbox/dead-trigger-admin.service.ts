import type { DeadTriggerAdminService } from '../../../gen/laurel/admin/v1/dead_trigger_admin_service_pb.ts';
import { discardDeadTrigger } from './discard-dead-trigger.ts';
import type { Inbox } from './inbox.ts';
import { listDeadTriggers } from './list-dead-triggers.ts';
import { replayDeadTrigger } from './replay-dead-trigger.ts';
import type { Handlers } from '../../clients/call.ts';

/** Operations on the dead triggers of one client. `inbox` is woken for triggers that wait again. */
export function deadTriggerAdminService(inbox: Pick<Inbox, 'wake'>) {
  return {
    listDeadTriggers,
    replayDeadTrigger: (call, request) => {
      const { clientId } = call.principal;
      call.afterResponse(() => inbox.wake(clientId));
      return replayDeadTrigger(call, request);
    },
    discardDeadTrigger,
  } satisfies Handlers<typeof DeadTriggerAdminService>;
}
