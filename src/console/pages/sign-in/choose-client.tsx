import { Button, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { SignInChoice } from '../../../../gen/laurel/admin/v1/session_service_pb.ts';
import { failureOf } from '../../api/failure.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { useSessionKeeper } from '../../session/session-context.tsx';
import type { PasswordStep, CodeStep } from './sign-in-steps.ts';
import { SignInFrame } from './sign-in-frame.tsx';

/** The choice of a client, if one e-mail and password belong to users of several clients. */
export function ChooseClient(props: {
  readonly entered: PasswordStep;
  readonly onSecondFactor: (entered: CodeStep) => void;
  readonly onBack: () => void;
}) {
  const { email, password, choices } = props.entered;
  const t = useTranslations('signIn');
  const keeper = useSessionKeeper();
  const [failure, setFailure] = useState<unknown>();

  async function choose(clientId: string): Promise<void> {
    try {
      await keeper.signIn(email, password, { clientId });
    } catch (error) {
      if (failureOf(error).code === 'SECOND_FACTOR_REQUIRED') props.onSecondFactor({ email, password, clientId });
      else setFailure(error);
    }
  }

  return (
    <Choices hint={t('chooseHint')} onBack={props.onBack}>
      {choices.map(({ clientId, clientName }) => (
        <Button key={clientId} variant="default" onClick={() => void choose(clientId)}>
          {clientName}
        </Button>
      ))}
      {failure !== undefined && <FailureAlert error={failure} />}
    </Choices>
  );
}

/** The same after a sign-in at the provider: each choice redirects there again, without a second sign-in. */
export function ChooseProviderClient(props: {
  readonly choices: readonly SignInChoice[];
  readonly startPathOf: (clientId: string) => string;
  readonly onBack: () => void;
}) {
  const t = useTranslations('signIn');
  return (
    <Choices hint={t('chooseProviderHint')} onBack={props.onBack}>
      {props.choices.map(({ clientId, clientName }) => (
        <Button key={clientId} variant="default" component="a" href={props.startPathOf(clientId)}>
          {clientName}
        </Button>
      ))}
    </Choices>
  );
}

function Choices(props: { readonly hint: string; readonly onBack: () => void; readonly children: ReactNode }) {
  const t = useTranslations('signIn');
  return (
    <SignInFrame title={t('choose')} hint={props.hint}>
      <Stack gap="sm">
        {props.children}
        <Button variant="subtle" onClick={props.onBack}>
          {t('back')}
        </Button>
      </Stack>
    </SignInFrame>
  );
}
