import type { ServiceImpl } from '@connectrpc/connect';
import type { StatisticsAdminService } from '../../gen/laurel/admin/v1/statistics_admin_service_pb.ts';
import { principalOf } from '../clients/principal.ts';
import type { Clock } from '../kernel/clock.ts';
import { getOverview, type OverviewOptions } from './get-overview.ts';

/** Figures of one client. */
export function statisticsAdminService(options: OverviewOptions, clock: Clock) {
  return {
    getOverview: (request, context) => getOverview(options, principalOf(context), request, clock()),
  } satisfies ServiceImpl<typeof StatisticsAdminService>;
}
