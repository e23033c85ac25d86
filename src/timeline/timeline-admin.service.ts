import type { TimelineAdminService } from '../../gen/laurel/admin/v1/timeline_admin_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { listAccountTimeline } from './list-account-timeline.ts';
import type { Source } from './merge-sources.ts';

/** The operation on the timeline of one account, from all modules. */
export function timelineAdminService(sources: readonly Source[]) {
  return {
    listAccountTimeline: (call, request) => listAccountTimeline(call, request, sources),
  } satisfies Handlers<typeof TimelineAdminService>;
}
