import { type DescField, type DescMethod, getOption, hasOption, type Message } from '@bufbuild/protobuf';
import { account_token, AccountTokenUse_PermissionSchema } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { Account_IdType } from '../../../gen/laurel/v1/account_pb.ts';
import type { TokenPermission } from '../../clients/account-tokens/token-claims.ts';
import type { TokenAccount } from '../../clients/principal.ts';
import { enumName } from '../../kernel/enum-names.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { parseId } from '../../kernel/ids.ts';
import { sentence } from '../../kernel/sentence.ts';

/** The use of an operation by account tokens, from its proto. */
type Use = {
  readonly permission: TokenPermission;
  /** The names of fields, from the request to the account; undefined if the operation is about no account. */
  readonly account: readonly string[] | undefined;
  /** The names of fields, from the request to the code of the event. */
  readonly code: readonly string[] | undefined;
};

/** The account in a path: the caller's own. */
const OWN = 'me';

/**
 * Admits the calls that account tokens may make: the option `account_token` of the method names them, and every other method is closed.
 * The account of the request becomes the token's.
 */
export function accountTokenGuard(): (method: DescMethod, message: Message | undefined, account: TokenAccount) => void {
  const uses = new Map<DescMethod, Use | undefined>();
  return (method, message, account) => {
    if (!uses.has(method)) uses.set(method, useOf(method));
    const use = uses.get(method);
    if (use === undefined || message === undefined)
      throw new DomainError(
        'FORBIDDEN',
        'No account token may call this operation. Your back end calls it with its API key.',
      );
    if (!account.permissions.includes(use.permission))
      throw new DomainError('FORBIDDEN', sentence`The account token does not have the permission ${use.permission}.`);
    if (use.account !== undefined) setAccount(message, use.account, account);
    if (use.code !== undefined) requireCode(message, use.code, account);
  };
}

function setAccount(message: Message, path: readonly string[], { id }: TokenAccount): void {
  const holder = holderOf(message, path);
  // The rules of the proto refuse a missing message.
  if (holder === undefined) return;
  const name = path.at(-1)!;
  // An optional field that was not sent is undefined.
  const sent = (holder[name] ?? '') as string;
  const isOwn = sent === '' || sent === OWN || parseId(sent) === id;
  if (!isOwn || holder['idType'] === Account_IdType.EXTERNAL)
    throw new DomainError(
      'TOKEN_OF_ANOTHER_ACCOUNT',
      'An account token calls for its own account. Leave the account out, or send `me` in the path, and no `idType`.',
    );
  holder[name] = id;
}

function requireCode(message: Message, path: readonly string[], { eventCodes }: TokenAccount): void {
  const code = holderOf(message, path)?.[path.at(-1)!];
  if (typeof code !== 'string' || code === '' || eventCodes.includes(code)) return;
  throw new DomainError('FORBIDDEN', sentence`The account token does not name the event code '${code}'.`);
}

/** The message with the last field of a path. */
function holderOf(message: Message, path: readonly string[]): Record<string, unknown> | undefined {
  let holder = message as unknown as Record<string, unknown> | undefined;
  for (const name of path.slice(0, -1)) holder = holder?.[name] as Record<string, unknown> | undefined;
  return holder;
}

/** @throws Error for a field that does not exist, so that a mistake in a proto ends the first call of a test */
function useOf(method: DescMethod): Use | undefined {
  if (!hasOption(method, account_token)) return undefined;
  const { permission: number, field, codeField } = getOption(method, account_token);
  const permission = enumName(AccountTokenUse_PermissionSchema, number);
  if (permission === undefined) return undefined;
  return {
    permission,
    account: field === '' ? undefined : pathOf(method, field),
    code: codeField === '' ? undefined : pathOf(method, codeField),
  };
}

function pathOf({ input, name: rpc }: DescMethod, path: string): string[] {
  let message: typeof input | undefined = input;
  return path.split('.').map((name) => {
    const field: DescField | undefined = message?.fields.find((each) => each.name === name);
    if (field === undefined) throw new Error(`The option account_token of ${rpc} names no field: ${path}.`);
    message = field.message;
    return field.localName;
  });
}
