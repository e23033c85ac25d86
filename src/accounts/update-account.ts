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
import type { AccountRef } from './resolving/account-ref.ts';
import type { AccountEntity } from './account.entity.ts';
import { type ChangedAttributes, mergedAttributes } from './account-attributes.ts';
import { checkedTexts } from './account-texts.ts';
import { type AccountTexts, toAccountMessage } from './account.ts';
import { requireEmailAddress } from './email-address.ts';
import { flushAccount, lockAccount } from './lock-account.ts';

/** Changes the sent attributes: proto AccountService.UpdateAccount. */
export function updateAccount(
  { db, principal, clock }: Call,
  request: UpdateAccountRequest,
  movers: readonly AccountMover[] = [],
): Promise<MessageInitShape<typeof UpdateAccountResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const { account } = await changeAccount(uow, request, request, { clock, movers });
    return { account };
  });
}

/** Brings what depends on the time zones of locked accounts up to date, after their change. */
export type AccountMover = (uow: UnitOfWork, accountIds: readonly string[], now: Date) => Promise<unknown>;

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
  { clock, movers }: { readonly clock: Clock; readonly movers: readonly AccountMover[] },
): Promise<ChangedAccount> {
  const changes = changesOf(sent);
  const account = await lockAccount(uow, ref, 'change');
  requireEmailAddress(changes.email ?? undefined, account.email ?? undefined);
  const attributes = await attributesAfter(uow, account, sent);
  const changed = [
    ...TEXTS.filter((name) => changes[name] !== undefined && changes[name] !== account[name]),
    ...(attributes?.changed.map((name) => `attributes.${name}`) ?? []),
  ];
  if (changed.length > 0) {
    const now = clock();
    const written = attributes && { attributes: attributes.attributes };
    uow.em.assign(account, { ...changes, ...written, ...zonesAfter(account, changes, now), updatedAt: now });
    await flushAccount(uow, account);
    if (changed.includes('timeZone')) for (const move of movers) await move(uow, [account.id], now);
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

/** The declared attributes after the change; undefined if it does not concern them. */
async function attributesAfter(
  uow: UnitOfWork,
  stored: AccountEntity,
  { account, updateMask }: SentChanges,
): Promise<ChangedAttributes | undefined> {
  const sent = account?.attributes;
  const isMasked = updateMask !== undefined && updateMask.paths.length > 0;
  if (isMasked ? !updateMask.paths.includes('attributes') : sent === undefined) return undefined;
  return mergedAttributes(uow, stored.attributes ?? null, sent ?? null);
}

/** The texts to write, by name; null clears one. */
function changesOf({ account, updateMask }: SentChanges): Changes {
  const sent: Partial<AccountChanges> = account ?? {};
  const texts = checkedTexts(sent);
  const masked = updateMask?.paths ?? [];
  const named = masked.filter((path) => path !== 'attributes').map(textOfPath);
  const names = masked.length > 0 ? named : TEXTS.filter((name) => sent[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, texts[name] ?? null]));
}

type Changes = { readonly [Name in keyof AccountTexts]?: string | null };

const TEXTS: readonly (keyof AccountTexts)[] = ['externalId', 'email', 'name', 'timeZone'];

function isText(name: string): name is keyof AccountTexts {
  return (TEXTS as readonly string[]).includes(name);
}

/** A mask has the names of fields in the proto. */
function textOfPath(path: string): keyof AccountTexts {
  const name = AccountChangesSchema.fields.find((field) => field.name === path)?.localName ?? '';
  if (isText(name)) return name;
  throw unchangeable(path, [...TEXTS, 'attributes']);
}
