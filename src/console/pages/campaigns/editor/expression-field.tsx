import { useTranslations } from 'use-intl';
import { ExpressionArea } from '../../../expressions/expression-area.tsx';
import type { MissionForm } from './mission-form.ts';

/** The expression of a mission. */
export function ExpressionField({ form, locked }: { readonly form: MissionForm; readonly locked: boolean }) {
  const t = useTranslations('conditions');
  return (
    <ExpressionArea
      place={{ scope: 'MISSION_CONDITION', code: form.values.programmaticCode }}
      label={t('labels.expression')}
      description={t('hints.expression')}
      placeholder={'event.category == "coffee"'}
      disabled={locked}
      {...form.getInputProps('conditions.expression')}
    />
  );
}
