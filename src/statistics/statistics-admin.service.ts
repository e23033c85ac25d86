import type { StatisticsAdminService } from '../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { getOverview, type OverviewOptions } from './get-overview.ts';
import type { Handlers } from '../clients/call.ts';

/** Figures of one client. */
export function statisticsAdminService(options: OverviewOptions) {
  return {
    getOverview: (call, request) => getOverview(call, request, options),
  } satisfies Handlers<typeof StatisticsAdminService>;
}
