import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetStatisticDefinitionRequest,
  GetStatisticDefinitionResponseSchema,
} from '../../../gen/laurel/admin/v1/statistic_definition_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { toStatisticDefinitionMessage } from './statistic-definition-message.ts';
import { requireStatisticDefinition } from './statistic-definitions.queries.ts';

/** Returns one statistic: proto StatisticDefinitionAdminService.GetStatisticDefinition. */
export function getStatisticDefinition(
  { db, principal }: Call,
  { id }: GetStatisticDefinitionRequest,
): Promise<MessageInitShape<typeof GetStatisticDefinitionResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    return { statisticDefinition: toStatisticDefinitionMessage(await requireStatisticDefinition(uow, id)) };
  });
}
