import { useQuery } from '@connectrpc/connect-query';
import { EventDefinitionAdminService } from '../../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import type { AttributeDefinition } from '../../../../gen/laurel/v1/attribute_pb.ts';

/** The most event definitions that are read: more than a client has. */
const READ_MAX = 1_000;

/** The attributes that events of the client declare, each name once; undefined until they are loaded. */
export function useEventAttributes(wanted: boolean): readonly AttributeDefinition[] | undefined {
  const { data, isLoading } = useQuery(
    EventDefinitionAdminService.method.listEventDefinitions,
    { page: 1, limit: READ_MAX },
    { enabled: wanted },
  );
  if (isLoading) return undefined;
  const attributes = (data?.rows ?? []).flatMap((definition) => definition.attributes);
  return [...new Map(attributes.map((attribute) => [attribute.name, attribute])).values()];
}
