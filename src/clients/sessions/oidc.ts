import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  discovery,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { SessionService } from '../../../gen/laurel/admin/v1/session_service_pb.ts';
import type { Clock } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/domain-error.ts';
import type { SecretBox } from '../../kernel/secret-box.ts';
import type { Database } from '../../persistence/database.ts';
import { enter } from './enter.ts';
import type { CookieContext } from './session-cookie.ts';
import { type Candidate, usersOfEmail } from './sign-in.queries.ts';

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
  /** Where to send the browser, and what it has to bring back; sealed, because the verifier is in it. */
  start(): Promise<{ readonly url: URL; readonly ticket: string }>;
  /**
   * Begins the session of whom the provider names, and sets its cookie.
   * @param query of the request by which the browser came back
   * @throws DomainError `EMAIL_NOT_VERIFIED`, `UNKNOWN_USER`, `SEVERAL_CLIENTS`; openid-client's errors for what the
   * provider refuses or what does not belong together
   */
  finish(ticket: string, query: string, context: CookieContext): Promise<void>;
};

type Ticket = { readonly state: string; readonly nonce: string; readonly verifier: string };

/** Where a ticket belongs, so that no other sealed text passes for one. */
const OWNER = 'oidc-ticket';

/** The sign-in at one provider. Its description is read at the first use, and again after a failure. */
export function oidcSignIn(
  settings: OidcSettings,
  { db, clock, secrets }: { db: Database; clock: Clock; secrets: SecretBox },
): OidcSignIn {
  let known: Promise<Configuration> | undefined;
  const configuration = () => {
    known ??= discover(settings).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };

  return {
    provider: settings.issuer.host,

    async start() {
      const ticket: Ticket = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(await configuration(), {
        ...{ redirect_uri: settings.redirectUri.href, scope: 'openid email', state: ticket.state, nonce: ticket.nonce },
        ...{ code_challenge: await calculatePKCECodeChallenge(ticket.verifier), code_challenge_method: 'S256' },
      });
      return { url, ticket: secrets.seal(JSON.stringify(ticket), OWNER) };
    },

    async finish(sealed, query, context) {
      const ticket = JSON.parse(secrets.open(sealed, OWNER)) as Ticket;
      const callback = new URL(settings.redirectUri);
      callback.search = query;
      const email = await verifiedEmail(await configuration(), callback, ticket);
      const user = theOnlyOne(await usersOfEmail(db, email, undefined));
      await enter({ db, clock }, user, SessionService.method.signIn, context, { provider: settings.issuer.host });
    },
  };
}

function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const execute = issuer.protocol === 'http:' ? [allowInsecureRequests] : [];
  return discovery(issuer, clientId, clientSecret, undefined, { execute, timeout: 5 });
}

/** From the ID token, else from the provider's UserInfo: where providers put it is their own choice. */
async function verifiedEmail(configuration: Configuration, callback: URL, ticket: Ticket): Promise<string> {
  const tokens = await authorizationCodeGrant(configuration, callback, {
    ...{ expectedState: ticket.state, expectedNonce: ticket.nonce, pkceCodeVerifier: ticket.verifier },
    idTokenExpected: true,
  });
  const claims = tokens.claims()!;
  const { email, email_verified: isVerified } =
    claims['email'] === undefined ? await fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
  if (typeof email === 'string' && isVerified === true) return email;
  throw new DomainError('forbidden', 'EMAIL_NOT_VERIFIED', 'The provider does not vouch for the e-mail of this user.');
}

function theOnlyOne(users: readonly Candidate[]): Candidate {
  const [user, ...others] = users.filter(({ disabled }) => !disabled);
  if (user === undefined) {
    throw new DomainError('forbidden', 'UNKNOWN_USER', 'No user has this e-mail. Ask an administrator to create one.');
  }
  if (others.length === 0) return user;
  throw new DomainError(
    'conflict',
    'SEVERAL_CLIENTS',
    'Several clients have a user with this e-mail. Sign in by password.',
  );
}
