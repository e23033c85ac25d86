import { useTranslations } from 'use-intl';
import type { ExpressionFault } from '../../../gen/laurel/errors/v1/expression_fault_pb.ts';
import { useStoredWords } from '../language/use-service-words.ts';

/** Says a mistake in an expression in the operator's language, with its line and column. */
export function useFaultText(): (fault: ExpressionFault) => string {
  const t = useTranslations('expressions');
  const words = useStoredWords();
  return ({ line, column, message }) => t('place', { line, column, fault: words(message) });
}
