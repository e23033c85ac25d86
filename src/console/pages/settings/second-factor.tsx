import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { notifyDone } from '../../feedback/notify.tsx';
import { useSession, useSessionKeeper } from '../../session/session-context.tsx';
import { DisableSecondFactor } from './disable-second-factor.tsx';
import { EnableSecondFactor } from './enable-second-factor.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Whether sign-ins of the person ask for a second factor, and the ways to switch it on and off. */
export function SecondFactor() {
  const t = useTranslations('secondFactor');
  const keeper = useSessionKeeper();
  const { user } = useSession();
  const [changing, setChanging] = useState(false);
  const [codes, setCodes] = useState<readonly string[]>();
  const enabled = user?.secondFactorEnabled === true;
  const close = () => setChanging(false);

  function enabledWith(recoveryCodes: readonly string[]): void {
    close();
    setCodes(recoveryCodes);
    void keeper.reload();
  }

  function done(words: string): void {
    close();
    setCodes(undefined);
    notifyDone(words);
    void keeper.reload();
  }

  return (
    <>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Badge color={enabled ? 'laurel' : 'gray'}>{enabled ? t('on') : t('off')}</Badge>
          {enabled && (
            <Text size="sm" mt={6}>
              {t('left', { count: user.recoveryCodesLeft })}
            </Text>
          )}
        </div>
        <Button variant={enabled ? 'default' : 'filled'} style={{ flexShrink: 0 }} onClick={() => setChanging(true)}>
          {enabled ? t('disable') : t('enable')}
        </Button>
      </Group>
      {changing && enabled && <DisableSecondFactor onClose={close} onDone={() => done(t('disabled'))} />}
      {changing && !enabled && <EnableSecondFactor onClose={close} onDone={enabledWith} />}
      {codes !== undefined && <RecoveryCodes codes={codes} onDone={() => done(t('enabled'))} />}
    </>
  );
}
