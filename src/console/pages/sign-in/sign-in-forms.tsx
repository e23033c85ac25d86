import { useQuery } from '@connectrpc/connect-query';
import { Alert, Divider, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { SessionService, SignInMethod_Kind } from '../../../../gen/laurel/admin/v1/session_service_pb.ts';
import { publicTransport } from '../../api/public-transport.ts';
import type { PasswordStep, CodeStep } from './sign-in-steps.ts';
import { ChooseClient, ChooseProviderClient } from './choose-client.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProviderButton } from './provider-button.tsx';
import { ProviderFailure } from './provider-failure.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** All sign-in methods, and the choice of a client if an e-mail belongs to users of several. */
export function SignInForms(props: {
  /** The page to which a provider leads back. */
  readonly next: string;
  /** The session has ended in front of open pages: a provider is visited in another tab, so that they stay. */
  readonly again?: boolean;
  /** The code with which a provider sent the person back. */
  readonly failure?: string | undefined;
  /** Given if the user has to choose a client after a sign-in at a provider; the function returns to the first step. */
  readonly onChosen?: (() => void) | undefined;
}) {
  const t = useTranslations('signIn');
  const [entered, setEntered] = useState<PasswordStep>();
  const [codeStep, setCodeStep] = useState<CodeStep>();
  const { data } = useQuery(SessionService.method.listSignInMethods, {}, { transport: publicTransport });
  const provider = data?.methods.find(({ kind }) => kind === SignInMethod_Kind.OIDC);
  const { next, again = false, failure } = props;

  const startPathOf = (clientId?: string) =>
    `${provider?.startPath ?? ''}?${new URLSearchParams({ next, ...(clientId && { clientId }) })}`;
  if (props.onChosen !== undefined && provider !== undefined && provider.choices.length > 0) {
    return <ChooseProviderClient choices={provider.choices} startPathOf={startPathOf} onBack={props.onChosen} />;
  }
  if (codeStep !== undefined) return <SecondFactorForm entered={codeStep} onBack={() => setCodeStep(undefined)} />;
  if (entered !== undefined) {
    const goBack = () => setEntered(undefined);
    return <ChooseClient entered={entered} onSecondFactor={setCodeStep} onBack={goBack} />;
  }
  return (
    <SignInFrame title={t('title')}>
      {again && (
        <Alert color="yellow" role="status">
          {t('expired')}
        </Alert>
      )}
      {failure !== undefined && <ProviderFailure code={failure} />}
      <PasswordForm onChoices={setEntered} onSecondFactor={setCodeStep} />
      {provider?.startPath !== undefined && (
        <Stack gap="md">
          <Divider label={t('or')} />
          <ProviderButton
            startPath={startPathOf()}
            provider={provider.provider ?? 'OpenID Connect'}
            inOtherTab={again}
          />
        </Stack>
      )}
    </SignInFrame>
  );
}
