import type { Clock } from '../../kernel/time/clock.ts';
import { isDue } from '../../kernel/time/due.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { SecretBox } from '../../kernel/secrets/secret-box.ts';

/** Seconds for which a browser may hold what was sealed for it: as long as somebody may take to sign in at a provider. */
export const SEALED_SECONDS = 600;

/** Values of one kind as a browser holds them for us. */
export type TimedSeal<Value> = {
  close(value: Value): string;
  /** @throws DomainError `SIGN_IN_EXPIRED`; UnreadableSecret if it was not made here, or for something else */
  open(sealed: string): Value;
};

/**
 * Seals values with their end inside, because a browser may forget to forget a cookie.
 * @param purpose what they are for, so that no other sealed text passes for one
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
