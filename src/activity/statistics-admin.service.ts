import type { StatisticsAdminService } from '../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import type { CauseReaders } from './causes.ts';
import { getAttention } from './get-attention.ts';
import { getOverview, type OverviewOptions } from './get-overview.ts';
import type { Handlers } from '../clients/call.ts';

/** The figures of one client, and the causes that need an operator. */
export function statisticsAdminService(options: OverviewOptions & { readonly causes: CauseReaders }) {
  return {
    getOverview: (call, request) => getOverview(call, request, options),
    getAttention: (call, request) => getAttention(call, request, options.causes),
  } satisfies Handlers<typeof StatisticsAdminService>;
}
