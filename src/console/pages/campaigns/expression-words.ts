import type { useFormatter, useTranslations } from 'use-intl';
import { isMoment } from '../../form/local-time.ts';
import { type Comparison, comparisonsOf, type Literal } from './simple-expression.ts';

/** The functions for words about expressions. */
type Tools = {
  readonly t: ReturnType<typeof useTranslations<'expressions'>>;
  readonly format: ReturnType<typeof useFormatter>;
};

/** Keys of the texts of comparisons. */
const texts = {
  '==': 'is',
  '!=': 'isNot',
  '<': 'less',
  '<=': 'atMost',
  '>': 'more',
  '>=': 'atLeast',
  in: 'is',
  contains: 'contains',
} as const;

/** Keys of the texts for moments, which are earlier or later, not less or more. */
const momentTexts = { '<': 'before', '<=': 'notAfter', '>': 'after', '>=': 'notBefore' } as const;

/** An expression in words, to follow "if"; one that is not simple as its text. */
export function expressionInWords(expression: string, { t, format }: Tools): string {
  const comparisons = comparisonsOf(expression);
  return comparisons === undefined ? expression : format.list(comparisons.map((each) => inWords(each)));

  function inWords(comparison: Comparison): string {
    const name = nameOf(comparison.name);
    if (!('literals' in comparison)) return t(comparison.is, { name });
    const { is, literals } = comparison;
    const value = format.list(
      literals.map((each) => valueOf(each)),
      { type: 'disjunction' },
    );
    const isMoments = literals.every(({ type }) => type === 'moment');
    const text = isMoments && is in momentTexts ? momentTexts[is as keyof typeof momentTexts] : texts[is];
    return t(text, { name, value });
  }

  function nameOf(name: string): string {
    if (name === 'event.amount') return t('amount');
    if (name === 'account.createdAt') return t('createdAt');
    if (name === 'mission.progress') return t('progress');
    if (name === 'now') return t('now');
    return name.replace(/^event\./, '');
  }

  function valueOf(literal: Literal): string {
    if (literal.type === 'boolean') return t(literal.value ? 'yes' : 'no');
    const { type, text } = literal;
    if (type === 'number') return format.number(Number(text), { maximumFractionDigits: 20 });
    if (type === 'moment') return isMoment(text) ? format.dateTime(new Date(text), 'moment') : text;
    // A word needs no quotation marks; with a space, it would run into the words around it.
    return /^[\p{L}\p{N}_-]+$/u.test(text) ? text : t('quoted', { text });
  }
}
