import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type ListAccountStatisticsRequest,
  ListAccountStatisticsRequest_Period as Asked,
  type ListAccountStatisticsResponseSchema,
} from '../../../gen/laurel/v1/statistic_service_pb.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../../clients/call.ts';
import { clientZones } from '../../clients/client-zones.ts';
import { periodBefore, statisticPeriodAt } from '../../engine/statistics/statistic-period.ts';
import { statisticDefinitions } from '../definitions/statistic-definitions.queries.ts';
import { statisticValues } from './account-statistics.queries.ts';
import { toStatisticMessage } from './statistic-message.ts';

/** Lists the values of all statistics for an account: proto StatisticService.ListAccountStatistics. */
export function listAccountStatistics(
  { db, principal, now }: Call,
  { accountId, idType, period: asked }: ListAccountStatisticsRequest,
): Promise<MessageInitShape<typeof ListAccountStatisticsResponseSchema>> {
  return db.read(principal.clientId, async (uow) => {
    const [account, definitions, calendar] = await Promise.all([
      findAccountToRead(uow, { accountId, idType }),
      statisticDefinitions(uow),
      clientZones(uow),
    ]);
    const spans = definitions.flatMap((definition) => {
      const current = statisticPeriodAt(definition.period, calendar, now.getTime());
      const span = asked === Asked.PREVIOUS ? periodBefore(definition.period, calendar, current) : current;
      return span === undefined ? [] : [{ definition, span }];
    });
    // An unknown external id has no values.
    const id = account?.id;
    const keys =
      id === undefined
        ? []
        : spans.map(({ definition, span: { period } }) => ({ accountId: id, statisticId: definition.id, period }));
    const values = await statisticValues(uow, keys);
    return {
      rows: spans.map(({ definition, span }, index) => toStatisticMessage(definition, span, values[index]?.value)),
    };
  });
}
