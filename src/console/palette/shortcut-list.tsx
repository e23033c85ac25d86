import { Divider, Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useAllowed } from '../session/allowed.tsx';
import { GO, goTos, shortcuts } from './shortcuts.ts';

/** All keys that do something, from the registry that they are listened to by. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslations('palette');
  const navigation = useTranslations('navigation');
  const may = useAllowed();
  return (
    <Modal opened onClose={onClose} title={t('shortcutsTitle')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack gap={6} component="ul" m={0} p={0}>
        {shortcuts.map(({ key, keys }) => (
          <Keys key={key} keys={keys} words={t(`shortcuts.${key}`)} />
        ))}
      </Stack>
      <Divider my="md" />
      <Stack gap={6} component="ul" m={0} p={0}>
        {goTos
          .filter(({ needs }) => needs === undefined || may(needs))
          .map(({ key, shortcut }) => (
            <Keys key={key} keys={[GO, shortcut]} words={navigation(key)} />
          ))}
      </Stack>
      <Text size="xs" c="dimmed" mt="md">
        {t('shortcutsHint')}
      </Text>
    </Modal>
  );
}

function Keys({ keys, words }: { readonly keys: readonly string[]; readonly words: string }) {
  return (
    <Group component="li" justify="space-between" wrap="nowrap" gap="md">
      <Text size="sm">{words}</Text>
      <Group gap={4} wrap="nowrap">
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </Group>
    </Group>
  );
}
