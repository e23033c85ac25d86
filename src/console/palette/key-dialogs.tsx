import { ActionIcon, Button, Kbd } from '@mantine/core';
import { Search } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { shortcuts } from './shortcuts.ts';
import { type KeyDialog, useShortcuts } from './use-shortcuts.ts';
import { useTypedAhead } from './use-typed-ahead.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }));

const [palette] = shortcuts;

/** The search button, and the dialogs that keys open: loaded on first use. */
export function KeyDialogs() {
  const t = useTranslations('palette');
  const [dialog, setDialog] = useState<KeyDialog>();
  const [typed, setTyped] = useState('');
  const show = (asked: KeyDialog) => {
    setTyped('');
    setDialog(asked);
  };
  const open = () => show('palette');
  const close = () => setDialog(undefined);
  useShortcuts(show);
  useTypedAhead(dialog === 'palette', setTyped, close);
  return (
    <>
      <Button
        visibleFrom="md"
        variant="default"
        c="dimmed"
        fw={400}
        leftSection={<Search size={15} aria-hidden />}
        rightSection={<Kbd size="xs">{palette?.keys.join(' ')}</Kbd>}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
      >
        {t('find')}
      </Button>
      <ActionIcon hiddenFrom="md" variant="default" size={36} radius="xl" aria-label={t('find')} onClick={open}>
        <Search size={17} aria-hidden />
      </ActionIcon>
      <Suspense fallback={null}>
        {dialog === 'palette' && (
          <Palette typed={typed} onType={setTyped} onClose={close} onHelp={() => show('help')} />
        )}
        {dialog === 'help' && <ShortcutList onClose={close} />}
      </Suspense>
    </>
  );
}
