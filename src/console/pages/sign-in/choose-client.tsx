import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { useSessionKeeper } from '../../session/session-context.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import type { Entered } from './entered.ts';

/** For whom to sign in, where one e-mail and password belong to users of several clients. */
export function ChooseClient({ entered, onBack }: { readonly entered: Entered; readonly onBack: () => void }) {
  const t = useTranslations('signIn');
  const keeper = useSessionKeeper();
  const [failure, setFailure] = useState<unknown>();
  return (
    <SignInFrame title={t('choose')} hint={t('chooseHint')}>
      <Stack gap="sm">
        {entered.choices.map(({ clientId, clientName }) => (
          <Button
            key={clientId}
            variant="default"
            onClick={() => void keeper.signIn(entered.email, entered.password, clientId).catch(setFailure)}
          >
            {clientName}
          </Button>
        ))}
        {failure !== undefined && <FailureAlert error={failure} />}
        <Button variant="subtle" onClick={onBack}>
          {t('back')}
        </Button>
      </Stack>
    </SignInFrame>
  );
}
