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

/** The provider at which people may sign in, and what we are to it. */
export type OidcSettings = {
  /** `http:` on this machine only. */
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Of this service, as it is registered at the provider; its path is `/admin/session/oidc/callback`. */
  readonly redirectUri: URL;
};

/** Signing in at an OpenID Connect provider: authorization code flow with PKCE, state and nonce. */
export type OidcSignIn = {
  /** Host name of the provider. */
  readonly provider: string;
  /** Where to send the browser, and what it has to bring back. */
  start(aim: SignInTarget): Promise<{ readonly url: URL; readonly ticket: string }>;
  /**
   * Begins the session of whom the provider names and sets its cookie, unless that person has to choose a client first.
   * @param back the ticket and the query with which the browser came back, and from which address
   * @throws DomainError `SIGN_IN_EXPIRED`, `OIDC_DENIED`, `EMAIL_NOT_VERIFIED`, `UNKNOWN_USER`, `TOO_MANY_SIGN_INS`;
   * openid-client's errors for what the provider refuses or what does not belong together
   */
  finish(back: ProviderReturn, context: CookieContext): Promise<Outcome>;
  /** The clients of `Outcome.choices`, by name; none where the text is too old, was not made here, or is missing. */
  choicesIn(sealed: string | undefined): Promise<ClientChoice[]>;
};

/** The target of a sign-in. */
export type SignInTarget = {
  /** Path of this service to which the sign-in leads. */
  readonly next: string;
  /** Where the person has users of several clients: of which. */
  readonly clientId?: string | undefined;
};

/** How a browser came back from the provider. */
export type ProviderReturn = { readonly ticket: string; readonly query: string; readonly address: string };

/** How a sign-in ended. */
export type Outcome = {
  /** Where the person wanted to go. */
  readonly next: string;
  /** Where no session has begun, because users of several clients have the e-mail: the clients, sealed for the browser. */
  readonly choices: string | undefined;
};

/** The state that a browser must bring back from the provider, so that another browser cannot finish the sign-in. */
type Ticket = SignInTarget & {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE: anyone who steals the provider's code on its way cannot use it without this. */
  readonly verifier: string;
};

/** The dependencies of the sign-in at a provider. */
type OidcMeans = {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: SecretBox;
  /** Makes what counts failures by address; in this process alone if left out. */
  readonly newLimiter?: NewLimiter | undefined;
};

/** The sign-in at one provider. Its description is read at the first use, and again after a failure. */
export function oidcSignIn(settings: OidcSettings, { db, clock, secrets, newLimiter }: OidcMeans): OidcSignIn {
  const tickets = timedSeal<Ticket>('oidc-ticket', { secrets, clock });
  const choices = timedSeal<{ readonly clientIds: readonly string[] }>('oidc-choices', { secrets, clock });
  // Each return makes us ask the provider, which a stranger could have us do without end.
  const throttle = signInThrottle(clock, 'PROVIDER', newLimiter);
  let known: Promise<Configuration> | undefined;
  const configuration = () => {
    known ??= discover(settings).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };

  async function welcome({ ticket: sealed, query, address }: ProviderReturn, context: CookieContext): Promise<Outcome> {
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
      // Somebody else's, an old one, or nonsense: to a page that asks how to sign in it is as if there were none.
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
  // The signature of the ID token is looked at though it comes from the provider itself: a proxy in between may end its TLS.
  const execute = [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])];
  return discovery(issuer, clientId, clientSecret, undefined, { execute, timeout: 5 });
}

/** From the ID token, else from the provider's UserInfo: where providers put it is their own choice. */
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
  // No user has such an e-mail, but PostgreSQL's lower() makes a plain k of the Kelvin sign, and so one person of two.
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
