import { useQuery } from '@connectrpc/connect-query';
import {
  type AccountAttributes,
  AccountAttributeAdminService,
} from '../../../gen/laurel/admin/v1/account_attribute_admin_service_pb.ts';
import type { AttributeDefinition } from '../../../gen/laurel/v1/attribute_pb.ts';

/** The declared attributes of the client's accounts; undefined until they are loaded. */
export function useAccountAttributes(): AccountAttributes | undefined {
  return useQuery(AccountAttributeAdminService.method.getAccountAttributes, {}).data?.accountAttributes;
}

/** The attributes of {@link useAccountAttributes}, for pages that wait for them: empty if they cannot be read. */
export function useDeclaredAttributes(): readonly AttributeDefinition[] | undefined {
  const { data, isPending } = useQuery(AccountAttributeAdminService.method.getAccountAttributes, {});
  return isPending ? undefined : (data?.accountAttributes?.attributes ?? []);
}
