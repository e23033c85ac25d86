import { useQuery } from '@connectrpc/connect-query';
import { Alert, Divider, Stack } from '@mantine/core';
import { useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { useTranslations } from 'use-intl';
import { SessionService, SignInMethod_Kind } from '../../../../gen/laurel/admin/v1/session_service_pb.ts';
import { publicTransport } from '../../api/public-transport.ts';
import { useSessionState } from '../../session/session-context.tsx';
import { nextPath } from '../../session/sign-in-path.ts';
import type { Entered } from './entered.ts';
import { ChooseClient, ChooseProviderClient } from './choose-client.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProviderButton } from './provider-button.tsx';
import { ProviderFailure } from './provider-failure.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** The way in: e-mail and password, or a provider; back to where the person wanted to go. */
export function SignIn() {
  const t = useTranslations('signIn');
  const [query, setQuery] = useSearchParams();
  const state = useSessionState();
  const [entered, setEntered] = useState<Entered>();
  const { data } = useQuery(SessionService.method.listSignInMethods, {}, { transport: publicTransport });
  const provider = data?.methods.find(({ kind }) => kind === SignInMethod_Kind.OIDC);
  const failure = query.get('signInError');

  if (state.kind === 'signedIn') return <Navigate to={nextPath(query)} replace />;
  const startPathOf = (clientId?: string) =>
    `${provider?.startPath ?? ''}?${new URLSearchParams({ next: nextPath(query), ...(clientId && { clientId }) })}`;
  if (query.has('choose') && provider !== undefined && provider.choices.length > 0) {
    const goBack = () =>
      setQuery((present) => {
        present.delete('choose');
        return present;
      });
    return <ChooseProviderClient choices={provider.choices} startPathOf={startPathOf} onBack={goBack} />;
  }
  if (entered !== undefined) return <ChooseClient entered={entered} onBack={() => setEntered(undefined)} />;
  return (
    <SignInFrame title={t('title')}>
      {query.has('expired') && (
        <Alert color="yellow" role="status">
          {t('expired')}
        </Alert>
      )}
      {failure !== null && <ProviderFailure code={failure} />}
      <PasswordForm onChoices={setEntered} />
      {provider?.startPath !== undefined && (
        <Stack gap="md">
          <Divider label={t('or')} />
          <ProviderButton startPath={startPathOf()} provider={provider.provider ?? 'OpenID Connect'} />
        </Stack>
      )}
    </SignInFrame>
  );
}
