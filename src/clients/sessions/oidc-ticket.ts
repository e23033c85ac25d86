import type { Clock } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';

/** What a browser has to bring back from the provider, so that nobody can finish a sign-in that another has begun. */
export type Ticket = {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE: whoever steals the provider's code on its way cannot use it without this. */
  readonly verifier: string;
  /** Where the person wanted to go; a path of this service. */
  readonly next: string;
};

/** Seconds that somebody may take to sign in at the provider. */
export const TICKET_SECONDS = 600;

/** Where a ticket belongs, so that no other sealed text passes for one. */
const OWNER = 'oidc-ticket';

/** Tickets as browsers hold them: sealed, and with their end inside, because a browser may forget to forget a cookie. */
export function ticketSeal(secrets: SecretBox, clock: Clock) {
  return {
    close(ticket: Ticket): string {
      return secrets.seal(JSON.stringify({ ...ticket, until: clock().getTime() + TICKET_SECONDS * 1_000 }), OWNER);
    },
    /** @throws DomainError `SIGN_IN_EXPIRED`; UnreadableSecret if it was not made here */
    open(sealed: string): Ticket {
      if (sealed === '') throw expired();
      const { until, ...ticket } = JSON.parse(secrets.open(sealed, OWNER)) as Ticket & { readonly until: number };
      if (clock().getTime() > until) throw expired();
      return ticket;
    },
  };
}

function expired(): DomainError {
  return new DomainError(
    'forbidden',
    'SIGN_IN_EXPIRED',
    'The sign-in took more than ten minutes, or began in another browser. Begin it again.',
  );
}
