import {
  allowInsecureRequests,
  authorizationCodeGrant,
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { SessionService } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { NewLimiter } from '../../kernel/concurrency/limiter.ts';
import type { SecretBox } from '../../kernel/secrets/secret-box.ts';
import type { Database } from '../../persistence/database.ts';
import { completeSignIn } from './complete-sign-in.ts';
import type { CookieContext } from '../sessions/cookies.ts';
import { signInThrottle } from './sign-in-throttle.ts';
import { type Candidate, type ClientChoice, clientChoices, usersOfEmail } from './sign-in.queries.ts';
import { timedSeal } from './timed-seal.ts';

/** The provider for sign-ins, and our registration there. */
export type OidcSettings = {
  /** `http:` on this machine only. */
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The callback of this service as registered at the provider; its path is `/admin/session/oidc/callback`. */
  readonly redirectUri: URL;
};

/** Sign-ins at an OpenID Connect provider: authorization code flow with PKCE, state and nonce. */
export type OidcSignIn = {
  /** Host name of the provider. */
  readonly provider: string;
  /** The address for the browser, and the ticket that it must bring back. */
  start(aim: SignInTarget): Promise<{ readonly url: URL; readonly ticket: string }>;
  /**
   * Begins the session of the person whom the provider authenticated and sets its cookie, unless the person must choose a client first.
   * @param back the ticket and the query of the browser's return, and its address
   * @throws DomainError `SIGN_IN_EXPIRED`, `OIDC_DENIED`, `EMAIL_NOT_VERIFIED`, `UNKNOWN_USER`, `TOO_MANY_SIGN_INS`; openid-client's errors
   * for a refusal of the provider or values that do not match
   */
  finish(back: ProviderReturn, context: CookieContext): Promise<SignInOutcome>;
  /** The clients of `SignInOutcome.choices`, by name; empty if the text is too old, was not made here, or is missing. */
  choicesIn(sealed: string | undefined): Promise<ClientChoice[]>;
};

/** The target of a sign-in. */
export type SignInTarget = {
  /** The path of this service after the sign-in. */
  readonly next: string;
  /** The chosen client, if the person has users of several clients. */
  readonly clientId?: string | undefined;
};

/** The return of a browser from the provider. */
export type ProviderReturn = { readonly ticket: string; readonly query: string; readonly address: string };

/** The outcome of a sign-in. */
export type SignInOutcome = {
  /** The path that the person wanted. */
  readonly next: string;
  /** Present if users of several clients have the e-mail and no session has begun: the clients, encrypted for the browser. */
  readonly choices: string | undefined;
};

/** The state that a browser must bring back from the provider, so that another browser cannot finish the sign-in. */
type Ticket = SignInTarget & {
  readonly state: string;
  readonly nonce: string;
  /** The PKCE verifier: a thief of the provider's code cannot use the code without it. */
  readonly verifier: string;
};

/** The dependencies of the sign-in at a provider. */
type OidcMeans = {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  /** Creates the counters of failures by address; if left out, they count in this process alone. */
  readonly newLimiter?: NewLimiter | undefined;
};

/** The sign-in at one provider. The provider's metadata is read at the first use, and again after a failure. */
export function oidcSignIn(settings: OidcSettings, { db, clock, secrets, newLimiter }: OidcMeans): OidcSignIn {
  const tickets = timedSeal<Ticket>('oidc-ticket', { secrets, clock });
  const choices = timedSeal<{ readonly clientIds: readonly string[] }>('oidc-choices', { secrets, clock });
  // Each return causes a request to the provider, so an attacker could cause any number.
  const throttle = signInThrottle(clock, 'PROVIDER', newLimiter);
  let known: Promise<Configuration> | undefined;
  const configuration = () => {
    known ??= discover(settings).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };

  async function welcome(
    { ticket: sealed, query, address }: ProviderReturn,
    context: CookieContext,
  ): Promise<SignInOutcome> {
    const ticket = tickets.open(sealed);
    const callback = new URL(settings.redirectUri);
    callback.search = query;
    const email = await verifiedEmail(await configuration(), callback, ticket);
    const [user, ...others] = enabled(await usersOfEmail(db, { email, clientId: ticket.clientId }));
    if (others.length > 0) {
      const clientIds = [user, ...others].map(({ clientId }) => clientId);
      return { next: ticket.next, choices: choices.close({ clientIds }) };
    }
    const by = { provider: settings.issuer.host, address };
    await completeSignIn({ db, clock }, user, SessionService.method.signIn, context, by);
    return { next: ticket.next, choices: undefined };
  }

  function idsIn(sealed: string | undefined): readonly string[] {
    try {
      return choices.open(sealed ?? '').clientIds;
    } catch {
      // The cookie may be old, foreign or damaged; the list of sign-in methods treats it as missing.
      return [];
    }
  }

  return {
    provider: settings.issuer.host,

    async start(aim) {
      const ticket: Ticket = {
        ...aim,
        state: randomState(),
        nonce: randomNonce(),
        verifier: randomPKCECodeVerifier(),
      };
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: settings.redirectUri.href,
        scope: 'openid email',
        state: ticket.state,
        nonce: ticket.nonce,
        code_challenge: await calculatePKCECodeChallenge(ticket.verifier),
        code_challenge_method: 'S256',
      });
      return { url, ticket: tickets.close(ticket) };
    },

    async finish(back, context) {
      await throttle.requireRoom(back.address);
      try {
        return await welcome(back, context);
      } catch (error) {
        await throttle.failed(back.address);
        throw error;
      }
    },

    async choicesIn(sealed) {
      const clientIds = idsIn(sealed);
      return clientIds.length === 0 ? [] : clientChoices(db, clientIds);
    },
  };
}

function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  // The signature of the ID token is checked although the token comes from the provider directly: a proxy between may end its TLS.
  const execute = [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])];
  return discovery(issuer, clientId, clientSecret, undefined, { execute, timeout: 5 });
}

/** The e-mail from the ID token, otherwise from the provider's UserInfo, because providers differ. */
async function verifiedEmail(configuration: Configuration, callback: URL, ticket: Ticket): Promise<string> {
  const tokens = await authorizationCodeGrant(configuration, callback, {
    expectedState: ticket.state,
    expectedNonce: ticket.nonce,
    pkceCodeVerifier: ticket.verifier,
    idTokenExpected: true,
  }).catch(orDenied);
  const claims = tokens.claims()!;
  const { email, email_verified: isVerified } =
    claims['email'] === undefined ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
  if (typeof email !== 'string' || isVerified !== true) {
    throw new DomainError('EMAIL_NOT_VERIFIED', 'The provider does not vouch for this e-mail.');
  }
  // Only printable ASCII is accepted: PostgreSQL's lower() turns the Kelvin sign into a plain k, so two people could match one user.
  if (!/^[\x21-\x7e]+$/.test(email)) throw unknownUser();
  return email;
}

function orDenied(error: unknown): never {
  if (!(error instanceof AuthorizationResponseError) || error.error !== 'access_denied') throw error;
  throw new DomainError('OIDC_DENIED', 'The sign-in was called off at the provider. Begin it again.');
}

/** @throws DomainError `UNKNOWN_USER` */
function enabled(users: readonly Candidate[]): [Candidate, ...Candidate[]] {
  const [user, ...others] = users.filter(({ disabled }) => !disabled);
  if (user === undefined) throw unknownUser();
  return [user, ...others];
}

function unknownUser(): DomainError {
  return new DomainError('UNKNOWN_USER', 'No user has this e-mail. Ask an administrator to create one.');
}
