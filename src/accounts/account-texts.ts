import { checkedTimeZone } from '../clients/checked-time-zone.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { checkedExternalId } from './resolving/account-ref.ts';
import { checkedText } from '../kernel/text.ts';
import { sentence } from '../kernel/sentence.ts';
import type { AccountTexts } from './account.ts';

/**
 * The texts in their stored form.
 * @throws DomainError `BAD_REQUEST` for a text that cannot be stored as sent, or an unknown time zone
 */
export function checkedTexts(sent: Partial<AccountTexts>): AccountTexts {
  return {
    externalId: sent.externalId === undefined ? undefined : checkedExternalId(sent.externalId, 'externalId'),
    email: sent.email === undefined ? undefined : checkedText(sent.email, 'email'),
    name: sent.name === undefined ? undefined : checkedText(sent.name, 'name'),
    timeZone: sent.timeZone === undefined ? undefined : checkedTimeZone(sent.timeZone),
  };
}

/** The 409 of an external id that another account has. */
export function externalIdTaken(externalId: string): DomainError {
  return new DomainError(
    'ACCOUNT_ALREADY_EXISTS',
    sentence`Another account has the externalId '${externalId}'. Resolve that one, or send another externalId.`,
  );
}
