import { useQuery } from '@connectrpc/connect-query';
import { EventDefinitionAdminService } from '../../../gen/laurel/admin/v1/event_definition_admin_service_pb.ts';
import type { EventDefinition } from '../../../gen/laurel/v1/event_definition_pb.ts';
import { filterOf } from '../table/filter-of.ts';

/** The event definition of a code; undefined without a code, and until it is loaded. */
export function useEventDefinition(code: string): EventDefinition | undefined {
  const { data } = useQuery(
    EventDefinitionAdminService.method.listEventDefinitions,
    { page: 1, limit: 1, filters: filterOf({ programmaticCode: [code] }) },
    { enabled: code !== '' },
  );
  return code === '' ? undefined : data?.rows[0];
}
