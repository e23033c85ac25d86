import { List, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useTranslations } from 'use-intl';
import type { Question } from './confirm.tsx';
import { useConfirm } from './use-confirm.ts';

/** Kinds of things that the service names as uses, in its words. */
const KIND = /^(campaign|mission|chest|reward|publication) (?=')/;

type Kind = 'campaign' | 'mission' | 'chest' | 'reward' | 'publication';

/**
 * Asks before a resource is archived or deleted. If it is in use, the dialog lists the uses instead, because the service would refuse.
 * @returns a function of the reader of the uses, the resource's name and the question; it resolves true if the user confirmed
 */
export function useAskUnlessUsed() {
  const t = useTranslations('uses');
  const close = useTranslations('form')('close');
  const ask = useConfirm();

  async function askUnlessUsed(
    read: () => Promise<readonly string[]>,
    name: string,
    question: Omit<Question, 'cancel'>,
  ): Promise<boolean> {
    // Where they cannot be read, the service decides.
    const uses = await read().catch(() => []);
    if (uses.length === 0) return ask(question);
    const words = uses.map((use) => use.replace(KIND, (_all, kind: Kind) => `${t(`kinds.${kind}`)} `));
    modals.open({
      closeButtonProps: { 'aria-label': close },
      title: t('title', { name }),
      children: (
        <Stack gap="sm">
          <Text size="sm">{t('hint', { action: question.confirm })}</Text>
          <List size="sm" style={{ overflowWrap: 'anywhere' }}>
            {words.map((use) => (
              <List.Item key={use}>{use}</List.Item>
            ))}
          </List>
        </Stack>
      ),
    });
    return false;
  }
  return askUnlessUsed;
}
