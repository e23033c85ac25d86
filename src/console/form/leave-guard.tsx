import { Button, Group, Modal, Text } from '@mantine/core';
import { useEffect } from 'react';
import { type Location, NavigationType, useBlocker } from 'react-router';
import { useTranslations } from 'use-intl';
import { clientIn } from '../session/client-address.ts';
import { useSessionKeeper } from '../session/session-context.tsx';
import { unsavedWork, useLeaveQuestion } from './unsaved-work.ts';

/**
 * Asks before unsaved input is left: to another page or client, back in the browser, by closing the tab, and wherever `askToLeave` is
 * called. There is one of it, because the router takes one.
 */
export function LeaveGuard() {
  const t = useTranslations('form');
  const keeper = useSessionKeeper();
  const question = useLeaveQuestion();
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    const state = keeper.state();
    const left = state.kind === 'signedOut' && state.left;
    return (
      !left &&
      unsavedWork() !== undefined &&
      isLeft(currentLocation, nextLocation, historyAction === NavigationType.Pop)
    );
  });

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (unsavedWork() !== undefined) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);

  const blocked = blocker.state === 'blocked';
  const secret = (question?.kind ?? unsavedWork()) === 'secret';

  function answer(leave: boolean): void {
    question?.answer(leave);
    if (leave) blocker.proceed?.();
    else blocker.reset?.();
  }

  if (!blocked && question === undefined) return null;
  return (
    <Modal
      opened
      onClose={() => answer(false)}
      title={t(secret ? 'secretShown' : 'unsaved')}
      withCloseButton={false}
      // Above the dialog that it asks about.
      zIndex={300}
    >
      <Text size="sm">{t(secret ? 'secretShownHint' : 'unsavedHint')}</Text>
      <Group justify="flex-end" gap="sm" mt="lg">
        <Button variant="default" onClick={() => answer(false)} data-autofocus>
          {t('stay')}
        </Button>
        <Button color="red" onClick={() => answer(true)}>
          {t('leave')}
        </Button>
      </Group>
    </Modal>
  );
}

/**
 * Whether a change of the address leaves the page. Filters and tabs do not, but users do not go back in the browser to reach them from a
 * form.
 */
function isLeft(from: Location, to: Location, goesBack: boolean): boolean {
  if (from.pathname !== to.pathname || clientIn(from.search) !== clientIn(to.search)) return true;
  return goesBack && from.search !== to.search;
}
