import { useTranslations } from 'use-intl';
import { type ChestValues, MOST_NOTHING } from './chest-values.ts';

/** Finds faults of a chest beyond the rules of the proto. */
export function useChestCheck(): (values: ChestValues) => Record<string, string | undefined> {
  const t = useTranslations('rewards');
  const rules = useTranslations('rules');
  return ({ entries, nothing }) => ({
    nothing: Number(nothing) > MOST_NOTHING ? rules('atMost', { number: String(MOST_NOTHING) }) : undefined,
    ...Object.fromEntries(
      entries.map(({ guaranteed, weight }, index) => [
        `entries.${index}.weight`,
        !guaranteed && Number(weight) < 1 ? t('weightMissing') : undefined,
      ]),
    ),
  });
}
