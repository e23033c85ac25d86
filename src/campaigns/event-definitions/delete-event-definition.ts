import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type DeleteEventDefinitionRequest,
  type DeleteEventDefinitionResponseSchema,
  EventDefinitionAdminService,
} from '../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import { EventDefinitionSchema } from '../../../gen/laurel/v1/event_definition_pb.ts';
import { requireVersion } from '../../audit/require-version.ts';
import { changeCatalog } from '../../clients/change-catalog.ts';
import type { Call } from '../../clients/call.ts';
import { requireUnused } from '../../kernel/errors/in-use.ts';
import { sentence } from '../../kernel/sentence.ts';
import { toEventDefinitionMessage } from './event-definition-message.ts';
import { requireEventDefinition } from './event-definitions.queries.ts';
import { statisticsOfCode } from '../../statistics/definitions/statistic-definitions.queries.ts';
import { usesOfCode } from '../uses.queries.ts';

/** Deletes an event definition that no mission counts: proto EventDefinitionAdminService.DeleteEventDefinition. */
export async function deleteEventDefinition(
  { db, principal }: Call,
  { id, version }: DeleteEventDefinitionRequest,
): Promise<MessageInitShape<typeof DeleteEventDefinitionResponseSchema>> {
  const change = { operation: EventDefinitionAdminService.method.deleteEventDefinition, schema: EventDefinitionSchema };
  await changeCatalog(db, principal, change, async (uow) => {
    const definition = await requireEventDefinition(uow, id, { forChange: true });
    await requireVersion(uow, EventDefinitionSchema, definition, version);
    const { programmaticCode: code } = definition;
    const uses = [...(await usesOfCode(uow, code)), ...(await statisticsOfCode(uow, code))];
    requireUnused('EVENT_DEFINITION_IN_USE', uses, sentence`Delete the drafts among them, or keep the definition.`);
    const before = toEventDefinitionMessage(definition);
    uow.em.remove(definition);
    await uow.em.flush();
    return { id: definition.id, before };
  });
  return {};
}
