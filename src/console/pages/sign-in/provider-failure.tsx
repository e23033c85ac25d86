import { Alert } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { ErrorCodeJson } from '../../../../gen/laurel/errors/v1/errors_pb.ts';

/** Why somebody may come back from the provider without a session; of all else nothing is known but that it failed. */
const CODES = [
  'OIDC_DENIED',
  'EMAIL_NOT_VERIFIED',
  'UNKNOWN_USER',
  'SIGN_IN_EXPIRED',
  'TOO_MANY_SIGN_INS',
  'HTTPS_REQUIRED',
] as const satisfies readonly ErrorCodeJson[];

/** The error of the provider. The code comes from the address, which anyone can write, so its text is not shown. */
export function ProviderFailure({ code }: { readonly code: string }) {
  const t = useTranslations('signIn.failed');
  return <Alert color="red">{t(CODES.find((known) => known === code) ?? 'OIDC_FAILED')}</Alert>;
}
