import { Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { failureOf } from '../api/failure.ts';
import { useServiceWords } from '../language/use-service-words.ts';
import type { Trial } from './use-trial.ts';

/** Says for how many events or accounts an expression holds. */
export function TrialLine({ trial: { count, failure, isOld } }: { readonly trial: Trial }) {
  const t = useTranslations('expressions.trial');
  const wordsOf = useServiceWords();

  function text(): string {
    if (failure !== undefined) return wordsOf(failureOf(failure));
    if (count === undefined) return '';
    const { matching, examined, undecided = 0 } = count;
    if (examined === undefined) return t('accounts', { matching });
    if (examined === 0) return t('noEvents');
    const events = t('events', { matching, examined });
    return undecided === 0 ? events : `${events} ${t('undecided', { undecided })}`;
  }

  return (
    <Text role="status" size="xs" c={failure ? 'dimmed' : undefined} opacity={isOld ? 0.5 : 1} mih="1.4em">
      {text()}
    </Text>
  );
}
