import { useCancelWord } from '../form/cancel-word.ts';
import { confirm, type Question } from './confirm.tsx';

/** {@link confirm} with the words of the cancelling button already in the person's language. */
export function useConfirm(): (question: Omit<Question, 'cancel'>) => Promise<boolean> {
  const wordFor = useCancelWord();
  return (question) => confirm({ ...question, cancel: wordFor(question.confirm) });
}
