import { useTranslations } from 'use-intl';
import { confirm, type Question } from './confirm.tsx';

/** {@link confirm} with the words of the cancelling button already in the person's language. */
export function useConfirm(): (question: Omit<Question, 'cancel'>) => Promise<boolean> {
  const t = useTranslations('feedback');
  return (question) => confirm({ ...question, cancel: t('cancel') });
}
