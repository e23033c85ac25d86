import type { RefusedCallAdminService } from '../../gen/laurel/admin/v1/refused_call_admin_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import type { CallCollector } from './collect-calls.ts';
import { listCallCounts } from './list-call-counts.ts';
import { listRefusedCalls } from './list-refused-calls.ts';

/** The operations on refused calls of one client. */
export function refusedCallAdminService(collector: Pick<CallCollector, 'flush'>) {
  return {
    listRefusedCalls: (call, request) => listRefusedCalls(call, request, collector),
    listCallCounts: (call, request) => listCallCounts(call, request, collector),
  } satisfies Handlers<typeof RefusedCallAdminService>;
}
