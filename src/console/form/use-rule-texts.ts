import { useFormatter, useTranslations } from 'use-intl';
import type { RuleViolation } from './rules.ts';

/** Says a broken rule in the person's language; a rule without its own text keeps protovalidate's message. */
export function useRuleTexts(): (breach: RuleViolation) => string {
  const t = useTranslations('rules');
  const format = useFormatter();
  return ({ rule, message }) => {
    const [number = '', second = ''] = (message.match(/-?\d+(\.\d+)?/g) ?? []).map((digits) =>
      format.number(Number(digits)),
    );
    switch (rule) {
      case 'required':
      case 'string.min_len':
        return number === '' || number === '1' ? t('required') : t('minLength', { number });
      case 'string.max_len':
        return t('maxLength', { number });
      case 'string.uuid':
      case 'string.uuid_empty':
      case 'enum.defined_only':
      case 'enum.in':
      case 'enum.not_in':
      case 'string.in':
        return t('choose');
      case 'string.uri':
      case 'string.uri_empty':
        return t('address');
      case 'string.email':
      case 'string.email_empty':
        return t('email');
      case 'string.pattern':
        return t('pattern');
      case 'repeated.min_items':
        return t('minItems', { number });
      case 'repeated.max_items':
        return t('maxItems', { number });
      case 'repeated.unique':
        return t('unique');
      default:
        return rangeText(rule, number, second) ?? message;
    }
  };

  function rangeText(rule: string, number: string, second: string): string | undefined {
    const [, kind = ''] = rule.split('.');
    if (kind === 'gt_lte') return t('aboveUpTo', { number, second });
    if (kind === 'gte_lte') return t('between', { number, second });
    if (kind === 'gte') return t('atLeast', { number });
    if (kind === 'lte') return t('atMost', { number });
    if (kind === 'gt') return t('above', { number });
    return kind === 'not_in' ? t('notZero') : undefined;
  }
}
