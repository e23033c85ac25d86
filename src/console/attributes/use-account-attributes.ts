import { useQuery } from '@connectrpc/connect-query';
import {
  type AccountAttributes,
  AccountAttributeAdminService,
} from '../../../gen/laurel/admin/v1/account_attribute_admin_service_pb.ts';

/** The declared attributes of the client's accounts; undefined until they are loaded. */
export function useAccountAttributes(): AccountAttributes | undefined {
  return useQuery(AccountAttributeAdminService.method.getAccountAttributes, {}).data?.accountAttributes;
}
