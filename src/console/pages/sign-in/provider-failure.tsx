import { Alert } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { ErrorCodeJson } from '../../../../gen/laurel/errors/v1/errors_pb.ts';

/** The known reasons for a failed sign-in at the provider; other failures get a general text. */
const CODES = [
  'OIDC_DENIED',
  'EMAIL_NOT_VERIFIED',
  'UNKNOWN_USER',
  'SIGN_IN_EXPIRED',
  'TOO_MANY_SIGN_INS',
  'HTTPS_REQUIRED',
] as const satisfies readonly ErrorCodeJson[];

/** The error of the provider. The code comes from the address, which a stranger can forge, so only known texts are shown. */
export function ProviderFailure({ code }: { readonly code: string }) {
  const t = useTranslations('signIn.failed');
  return <Alert color="red">{t(CODES.find((known) => known === code) ?? 'OIDC_FAILED')}</Alert>;
}
