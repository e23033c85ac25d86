import { Button, Group, Modal, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { useTranslations } from 'use-intl';

/** Asks before somebody leaves a form that holds what has not been saved: inside the console, and by closing the tab. */
export function UnsavedChanges({ when }: { readonly when: boolean }) {
  const t = useTranslations('form');
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      // A session that ended leads to the sign-in, whatever was entered.
      when && currentLocation.pathname !== nextLocation.pathname && nextLocation.pathname !== '/sign-in',
  );

  useEffect(() => {
    if (!when) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [when]);

  return (
    <Modal opened={blocker.state === 'blocked'} onClose={() => blocker.reset?.()} title={t('unsaved')}>
      <Text size="sm">{t('unsavedHint')}</Text>
      <Group justify="flex-end" gap="sm" mt="lg">
        <Button variant="default" onClick={() => blocker.reset?.()} data-autofocus>
          {t('stay')}
        </Button>
        <Button color="red" onClick={() => blocker.proceed?.()}>
          {t('leave')}
        </Button>
      </Group>
    </Modal>
  );
}
