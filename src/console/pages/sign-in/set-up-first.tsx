import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useTranslations } from 'use-intl';
import { notifyDone, notifyFailure } from '../../feedback/notify.tsx';
import { askToLeave, unsavedWork } from '../../form/unsaved-work.ts';
import { clientPath } from '../../session/client-address.ts';
import { useSession, useSessionKeeper } from '../../session/session-context.tsx';
import { EnableSecondFactor } from '../settings/enable-second-factor.tsx';
import { RecoveryCodes } from '../settings/recovery-codes.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** The setup of a required second factor, in front of the pages for a user without one. Afterwards the pages continue. */
export function SetUpFirst(props: {
  /** Called when recovery codes appear and disappear. */
  readonly onCodes: (shown: boolean) => void;
}) {
  const t = useTranslations('secondFactor');
  const shell = useTranslations('shell');
  const keeper = useSessionKeeper();
  const { client, ownClientId } = useSession();
  // Else it is the person's own client that requires it, wherever the person works.
  const isClients = client?.requireSecondFactor === true;
  const [enabling, setEnabling] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();

  function enabledWith(recoveryCodes: readonly string[]): void {
    setEnabling(false);
    setCodes(recoveryCodes);
    props.onCodes(true);
  }

  async function done(): Promise<void> {
    setCodes(undefined);
    try {
      await keeper.reload();
      notifyDone(t('enabled'));
    } catch (error) {
      notifyFailure(error);
    }
    props.onCodes(false);
  }

  async function signOut(): Promise<void> {
    if (!(await askToLeave(unsavedWork()))) return;
    await keeper.signOut().catch(notifyFailure);
  }

  return (
    <SignInFrame title={t('firstTitle')} hint={t('firstHint', { name: isClients ? client.name : t('ownClient') })}>
      <Stack gap="sm">
        <Button onClick={() => setEnabling(true)} disabled={codes !== undefined}>
          {t('first')}
        </Button>
        {isClients && client.id !== ownClientId && (
          <Button variant="default" component={Link} to={clientPath(ownClientId)}>
            {shell('toMyClient')}
          </Button>
        )}
        <Button variant="subtle" color="gray" onClick={() => void signOut()}>
          {shell('signOut')}
        </Button>
      </Stack>
      {enabling && <EnableSecondFactor onClose={() => setEnabling(false)} onDone={enabledWith} />}
      {codes !== undefined && <RecoveryCodes codes={codes} onDone={() => void done()} />}
    </SignInFrame>
  );
}
