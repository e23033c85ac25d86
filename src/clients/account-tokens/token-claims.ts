import type { AccountTokenUse_PermissionSchema } from '../../../gen/laurel/auth/v1/options_pb.ts';
import type { EnumName } from '../../kernel/enum-names.ts';

/** A permission of an account token, explained in `laurel/auth/v1/options.proto`. */
export type TokenPermission = EnumName<typeof AccountTokenUse_PermissionSchema>;

/** The content of an account token that its signature protects. */
export type TokenClaims = {
  /** The account, or an alias of it since a merge. */
  readonly accountId: string;
  readonly clientId: string;
  /** The credential or session that issued it, and the client of that credential. */
  readonly issuerId: string;
  readonly issuerClientId: string;
  readonly permissions: readonly TokenPermission[];
  /** The codes of events that it may send. */
  readonly eventCodes: readonly string[];
  /** The pages that may use it. */
  readonly origins: readonly string[];
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
};

/** `iss` of every token. */
export const ISSUER = 'laurel';

/** `typ` of every token: no other kind of JSON Web Token is taken for one. */
export const TYPE = 'laurel-account+jwt';

/** The only algorithm. */
export const ALGORITHM = 'EdDSA';

/** The most milliseconds from the issue to the end of a token. */
export const LIFETIME_MAX = 24 * 3_600_000;
