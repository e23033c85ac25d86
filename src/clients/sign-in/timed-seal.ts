import type { Clock } from '../../kernel/time/clock.ts';
import { isDue } from '../../kernel/time/due.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { SecretBox } from '../../kernel/secrets/secret-box.ts';

/** Seconds of validity of an encrypted value in the browser: the time for a sign-in at a provider. */
export const SEALED_SECONDS = 600;

/** Encrypts values of one kind for the browser to hold. */
export type TimedSeal<Value> = {
  close(value: Value): string;
  /** @throws DomainError `SIGN_IN_EXPIRED`; UnreadableSecret if it was made elsewhere or for another purpose */
  open(sealed: string): Value;
};

/**
 * Encrypts values with their expiry inside, because a browser may keep an expired cookie.
 * @param purpose the purpose of the values, so that no other encrypted text is accepted
 */
export function timedSeal<Value extends object>(
  purpose: string,
  { secrets, clock }: { readonly secrets: SecretBox; readonly clock: Clock },
): TimedSeal<Value> {
  return {
    close(value) {
      return secrets.seal(JSON.stringify({ ...value, until: clock().getTime() + SEALED_SECONDS * 1_000 }), purpose);
    },
    open(sealed) {
      if (sealed === '') throw expired();
      const { until, ...value } = JSON.parse(secrets.open(sealed, purpose)) as Value & { readonly until: number };
      if (isDue(new Date(until), clock(), SEALED_SECONDS * 1_000)) throw expired();
      return value as unknown as Value;
    },
  };
}

function expired(): DomainError {
  return new DomainError(
    'SIGN_IN_EXPIRED',
    'The sign-in took more than ten minutes, or began in another browser. Begin it again.',
  );
}
