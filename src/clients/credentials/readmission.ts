import { DomainError } from '../../kernel/errors/domain-error.ts';
import type { TokenChecker } from '../account-tokens/check-token.ts';
import type { Principal } from '../principal.ts';
import type { Authenticator } from './authenticate.ts';

/** The caller of a stream, which was admitted when it began. */
export type Admitted = {
  readonly principal: Principal;
  /** The header with the credential; undefined for an account token, which its principal describes. */
  readonly authorization: string | undefined;
};

/** Looks at credentials again while streams are open. */
export type Readmission = {
  /** Those of the callers that would not be admitted now: their credentials have expired or were revoked. */
  refused<Caller extends Admitted>(callers: readonly Caller[]): Promise<Caller[]>;
};

/** Callers with the same credential cost one look, and those with account tokens one for each of their issuers. */
export function createReadmission({
  authenticator,
  tokens,
}: {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly tokens: Pick<TokenChecker, 'refused'>;
}): Readmission {
  async function isRefused(authorization: string, clientId: string | undefined): Promise<boolean> {
    try {
      await authenticator.authenticate({ authorization, actFor: clientId });
      return false;
    } catch (error) {
      // Another failure does not concern the credential.
      return error instanceof DomainError && ['UNAUTHENTICATED', 'FORBIDDEN'].includes(error.code);
    }
  }

  return {
    async refused(callers) {
      const withToken = callers.filter(({ principal }) => principal.account !== undefined);
      const others = callers.filter(({ principal }) => principal.account === undefined);
      const refused = await tokens.refused(withToken);
      const same = Map.groupBy(others, ({ authorization, principal: { clientId } }) => `${clientId} ${authorization}`);
      for (const group of same.values()) {
        const { authorization = '', principal } = group[0]!;
        const { clientId, ownClientId = clientId } = principal;
        if (await isRefused(authorization, ownClientId === clientId ? undefined : clientId)) refused.push(...group);
      }
      return refused;
    },
  };
}
