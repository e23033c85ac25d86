import { MantineThemeProvider, Notification } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useTranslations } from 'use-intl';

/** The corner of notifications, each with a named button that closes it. */
export function Toasts() {
  const t = useTranslations('feedback');
  const closeButtonProps = { 'aria-label': t('close') };
  return (
    <MantineThemeProvider
      theme={{ components: { Notification: Notification.extend({ defaultProps: { closeButtonProps } }) } }}
    >
      {/* On top, because the buttons of pages and dialogs are at their ends, on a phone in the middle. */}
      <Notifications position="top-center" />
    </MantineThemeProvider>
  );
}
