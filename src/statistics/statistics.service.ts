import type { StatisticService } from '../../gen/laurel/v1/statistic_service_pb.ts';
import type { Handlers } from '../clients/call.ts';
import { listAccountStatistics } from './values/list-account-statistics.ts';

/** The reads of statistics. */
export const statisticsService = { listAccountStatistics } satisfies Handlers<typeof StatisticService>;
