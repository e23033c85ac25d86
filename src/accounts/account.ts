import { type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { AccountSchema } from '../../gen/laurel/v1/account_pb.ts';
import type { PastZone } from '../kernel/time/zone-history.ts';
import { newId } from '../kernel/ids.ts';
import type { AccountEntity } from './account.entity.ts';

/** An end user of the integrator's platform, as the modules know one. */
export type Account = {
  readonly id: string;
  /** The integrator's own id, compared byte by byte. */
  readonly externalId: string | undefined;
  readonly email: string | undefined;
  readonly name: string | undefined;
  /** IANA name; without it the client's zone applies. */
  readonly timeZone: string | undefined;
  /** Its zones before, oldest first. */
  readonly pastZones: readonly PastZone[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | undefined;
};

/** An account as lists show it. */
export type ListedAccount = Omit<Account, 'pastZones'>;

/** The editable attributes of an account; undefined is stored as absent. */
export type AccountAttributes = Pick<Account, 'externalId' | 'email' | 'name' | 'timeZone'>;

/** The account as the API answers it. */
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
  };
}

/** The account that an unknown external id would get at `now`, with a new id; it is not stored. */
export function unstoredAccount(externalId: string, now: Date): Account {
  const unset = { email: undefined, name: undefined, timeZone: undefined, pastZones: [], deletedAt: undefined };
  return { ...unset, id: newId(), externalId, createdAt: now, updatedAt: now };
}
