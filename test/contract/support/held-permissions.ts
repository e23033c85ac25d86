import type { DescMethod } from '@bufbuild/protobuf';
import { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { requiredPermissions } from '../../../src/server/rpc/required-permission.ts';
import { settledUser } from '../../operations/clients/console.ts';
import type { TestService } from '../../support/service.ts';

const needs = requiredPermissions();

/** The callers: an API key, people of each role, and invalid tokens. */
export const ROLES = [
  'an API key',
  'VIEWER',
  'SUPPORT',
  'MARKETER',
  'CLIENT_ADMIN',
  'SERVICE_ADMIN',
  'token CLIENT_ADMIN',
  'token SERVICE_ADMIN',
] as const;

/** One of the callers. */
export type Role = (typeof ROLES)[number];

/** The roles that hold a permission, in the order of `ROLES`, repeated here: the service is compared with this table. */
const HELD_BY: Readonly<Record<keyof typeof Permission, string>> = {
  //                       key viewer support marketer client service
  PERMISSION_UNSPECIFIED: '- - - - - yes',
  ANYONE: 'yes yes yes yes yes yes',
  OWN_SESSION: '- yes yes yes yes yes',
  READ_ACCOUNTS: 'yes yes yes yes yes yes',
  ACT_FOR_ACCOUNTS: 'yes - yes - yes yes',
  SEND_EVENTS: 'yes - - - yes yes',
  ASSIGN_AUDIENCES: 'yes - yes yes yes yes',
  PUBLISH: 'yes - - yes yes yes',
  READ_CLIENT: '- yes yes yes yes yes',
  SUPPORT_ACCOUNTS: '- - yes - yes yes',
  REVEAL_CODES: '- - yes - yes yes',
  RESEND: '- - yes - yes yes',
  KEEP_CAMPAIGNS: '- - - yes yes yes',
  KEEP_REWARDS: '- - - yes yes yes',
  KEEP_AUDIENCES: '- - - yes yes yes',
  IMPORT: '- - - yes yes yes',
  EXPORT: '- - - - yes yes',
  KEEP_WEBHOOKS: '- - - - yes yes',
  KEEP_CREDENTIALS: '- - - - yes yes',
  KEEP_USERS: '- - - - yes yes',
  KEEP_CLIENT: '- - - - yes yes',
  ADMINISTER_SERVICE: '- - - - - yes',
  ACT_FOR_ANY_CLIENT: '- - - - - yes',
  BACKFILL: '- - - - yes yes',
  MERGE_ACCOUNTS: 'yes - yes - yes yes',
  ISSUE_TOKENS: 'yes - - - yes yes',
};

/** Whether a role may call an operation, by the table above and the permission of the operation. */
export function isAllowed(role: Role, rpc: DescMethod): boolean {
  const [name] = Object.entries(Permission).find(([, number]) => number === needs(rpc))!;
  const row = HELD_BY[name as keyof typeof Permission].split(' ');
  return row[ROLES.indexOf(role.replace('token ', '') as Role)] === 'yes';
}

/** A credential of each caller for the client of `service`; the people are created here. */
export async function tokensOf(service: TestService): Promise<ReadonlyMap<Role, string>> {
  const tokens = new Map<Role, string>([
    ['an API key', service.apiKey],
    ['token CLIENT_ADMIN', service.adminToken],
    ['token SERVICE_ADMIN', service.serviceToken],
  ]);
  for (const role of ['VIEWER', 'SUPPORT', 'MARKETER', 'CLIENT_ADMIN', 'SERVICE_ADMIN'] as const) {
    const { answer } = await settledUser(service, service.serviceToken, role);
    tokens.set(role, answer.body.accessToken as string);
  }
  return tokens;
}
