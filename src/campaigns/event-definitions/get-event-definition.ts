import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  GetEventDefinitionRequest,
  GetEventDefinitionResponseSchema,
} from '../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import type { Call } from '../../clients/call.ts';
import { NAMED_MAX } from '../../kernel/errors/in-use.ts';
import { statisticsOfCode } from '../../statistics/definitions/statistic-definitions.queries.ts';
import { usesOfCode } from '../uses.queries.ts';
import { toEventDefinitionMessage } from './event-definition-message.ts';
import { requireEventDefinition } from './event-definitions.queries.ts';

/** Returns one event definition: proto EventDefinitionAdminService.GetEventDefinition. */
export function getEventDefinition(
  { db, principal }: Call,
  { id }: GetEventDefinitionRequest,
): Promise<MessageInitShape<typeof GetEventDefinitionResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const definition = await requireEventDefinition(uow, id);
    const { programmaticCode: code } = definition;
    const uses = [...(await usesOfCode(uow, code)), ...(await statisticsOfCode(uow, code))];
    return { eventDefinition: toEventDefinitionMessage(definition), uses: uses.slice(0, NAMED_MAX).map(String) };
  });
}
