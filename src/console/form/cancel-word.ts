import { useTranslations } from 'use-intl';

/** The word on the button that leaves a question: “Cancel”, or “Go back” beside a button that itself cancels something. */
export function useCancelWord(): (verb: string) => string {
  const t = useTranslations('form');
  return (verb) => (verb.startsWith(t('cancel')) ? t('back') : t('cancel'));
}
