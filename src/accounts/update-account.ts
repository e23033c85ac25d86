import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type AccountChanges,
  AccountChangesSchema,
  type UpdateAccountRequest,
  type UpdateAccountResponseSchema,
} from '../../gen/laurel/v1/account_service_pb.ts';
import type { AccountSchema } from '../../gen/laurel/v1/account_pb.ts';
import type { Call } from '../clients/call.ts';
import type { Clock } from '../kernel/time/clock.ts';
import { withZone } from '../kernel/time/zone-history.ts';
import { unchangeable } from '../kernel/update-mask.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import type { AccountRef } from './account-ref.ts';
import type { AccountEntity } from './account.entity.ts';
import { checkedAttributes } from './account-attributes.ts';
import { type AccountAttributes, toAccountMessage } from './account.ts';
import { requireEmailAddress } from './email-address.ts';
import { flushAccount, lockAccount } from './lock-account.ts';

/** Changes the sent attributes: proto AccountService.UpdateAccount. */
export function updateAccount(
  { db, principal, clock }: Call,
  request: UpdateAccountRequest,
): Promise<MessageInitShape<typeof UpdateAccountResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const { account } = await changeAccount(uow, request, request, clock);
    return { account };
  });
}

/** The attributes to write, and their values. */
export type SentChanges = Pick<UpdateAccountRequest, 'account' | 'updateMask'>;

/** An account after a change, and the names of the changed attributes. */
export type ChangedAccount = {
  readonly account: MessageInitShape<typeof AccountSchema> & { readonly id: string };
  readonly changed: readonly string[];
};

/**
 * Changes attributes of an account in the caller's transaction. Writes no row if all attributes have these values already.
 * @throws DomainError `BAD_REQUEST`, `ACCOUNT_NOT_FOUND`, `ACCOUNT_ALREADY_EXISTS`
 */
export async function changeAccount(
  uow: UnitOfWork,
  ref: AccountRef,
  sent: SentChanges,
  clock: Clock,
): Promise<ChangedAccount> {
  const changes = changesOf(sent);
  const account = await lockAccount(uow, ref, 'change');
  requireEmailAddress(changes.email ?? undefined, account.email ?? undefined);
  const changed = ATTRIBUTES.filter((name) => changes[name] !== undefined && changes[name] !== account[name]);
  if (changed.length > 0) {
    const now = clock();
    uow.em.assign(account, { ...changes, ...zonesAfter(account, changes, now), updatedAt: now });
    await flushAccount(uow, account);
  }
  return { account: { ...toAccountMessage(account), id: account.id }, changed };
}

/** The earlier zones of the account after a change of its zone. */
function zonesAfter({ timeZone, pastZones }: AccountEntity, changes: Changes, now: Date) {
  if (changes.timeZone === undefined) return {};
  const before = { timeZone: timeZone ?? undefined, past: pastZones ?? [] };
  const { past } = withZone(before, changes.timeZone ?? undefined, now);
  return past.length === 0 ? {} : { pastZones: past };
}

/** The attributes to write, by name; null clears one. */
function changesOf({ account, updateMask }: SentChanges): Changes {
  const sent: Partial<AccountChanges> = account ?? {};
  const attributes = checkedAttributes(sent);
  const masked = updateMask?.paths.map(attributeOfPath) ?? [];
  const names = masked.length > 0 ? masked : ATTRIBUTES.filter((name) => sent[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, attributes[name] ?? null]));
}

type Changes = { readonly [Name in keyof AccountAttributes]?: string | null };

const ATTRIBUTES: readonly (keyof AccountAttributes)[] = ['externalId', 'email', 'name', 'timeZone'];

function isAttribute(name: string): name is keyof AccountAttributes {
  return (ATTRIBUTES as readonly string[]).includes(name);
}

/** A mask has the names of fields in the proto. */
function attributeOfPath(path: string): keyof AccountAttributes {
  const name = AccountChangesSchema.fields.find((field) => field.name === path)?.localName ?? '';
  if (isAttribute(name)) return name;
  throw unchangeable(path, ATTRIBUTES);
}
