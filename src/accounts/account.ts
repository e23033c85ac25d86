import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { AccountSchema } from '../../gen/laurel/v1/account_pb.ts';
import type { PastZone } from '../kernel/time/zone-history.ts';
import { newId } from '../kernel/ids.ts';
import type { AccountEntity } from './account.entity.ts';
import type { AccountKey } from './resolving/account-ref.ts';

/** An end user of the integrator's platform, as other modules see it. */
export type Account = {
  readonly id: string;
  /** The integrator's own id, compared byte by byte. */
  readonly externalId: string | undefined;
  readonly email: string | undefined;
  readonly name: string | undefined;
  /** IANA name; undefined means the client's zone. */
  readonly timeZone: string | undefined;
  /** The earlier zones, oldest first. */
  readonly pastZones: readonly PastZone[];
  /** Values of the attributes that the client declares. */
  readonly attributes: JsonObject | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | undefined;
  /** The time of its suspension; undefined for an account that is not suspended. */
  readonly suspendedAt: Date | undefined;
  /** The ids of merged accounts by which it was looked for; absent for none. */
  readonly aliases?: readonly AccountKey[];
};

/** An account in a list. */
export type ListedAccount = Omit<Account, 'pastZones' | 'aliases'>;

/** The editable texts of an account; undefined is stored as absent. */
export type AccountTexts = Pick<Account, 'externalId' | 'email' | 'name' | 'timeZone'>;

/** The API message of an account. */
export function toAccountMessage(account: ListedAccount | AccountEntity): MessageInitShape<typeof AccountSchema> {
  return {
    id: account.id,
    externalId: account.externalId ?? undefined,
    email: account.email ?? undefined,
    name: account.name ?? undefined,
    timeZone: account.timeZone ?? undefined,
    createdAt: timestampFromDate(account.createdAt),
    updatedAt: timestampFromDate(account.updatedAt),
    deletedAt: account.deletedAt ? timestampFromDate(account.deletedAt) : undefined,
    attributes: account.attributes ?? undefined,
    suspendedAt: account.suspendedAt ? timestampFromDate(account.suspendedAt) : undefined,
  };
}

/** A new account for an unknown external id, with a new id; it is not stored. */
export function unstoredAccount(externalId: string, now: Date): Account {
  const unset = {
    email: undefined,
    name: undefined,
    timeZone: undefined,
    pastZones: [],
    attributes: undefined,
    deletedAt: undefined,
    suspendedAt: undefined,
  };
  return { ...unset, id: newId(), externalId, createdAt: now, updatedAt: now };
}
