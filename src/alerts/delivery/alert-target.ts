import { type SendTarget, secretOwner } from '../../webhooks/configuration/webhook-target.ts';

/** The key of this receiver among those of the client. */
const ALERTS = 'ALERTS';

/** The target of a client's alerts: a signed POST with a distinct `webhook-id`. */
export function alertTarget(clientId: string, endpoint: string, signingSecretSealed: string | null): SendTarget {
  return {
    clientId,
    key: ALERTS,
    endpoint,
    method: 'POST',
    signingSecretSealed,
    retries: true,
    authenticationMethodType: null,
    authenticationMethodKey: null,
    authenticationValueSealed: null,
    formerSecretSealed: null,
    formerSecretUntil: null,
  };
}

/** The owner that a client's signing secret is encrypted for. */
export function alertSecretOwner(clientId: string): string {
  return secretOwner({ clientId, key: ALERTS }, 'signing');
}
