import { List, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useTranslations } from 'use-intl';
import type { Question } from './confirm.tsx';
import { useConfirm } from './use-confirm.ts';

/** Kinds of things that the service names as uses, in its words. */
const KIND = /^(campaign|mission|chest|reward|publication) (?=')/;

type Kind = 'campaign' | 'mission' | 'chest' | 'reward' | 'publication';

/**
 * Asks before something is archived or deleted; where it is in use, says what uses it instead, and does not offer what the
 * service must refuse.
 * @returns a function of: what reads the uses, the thing's name, and the question; it resolves true if the person wants it
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
