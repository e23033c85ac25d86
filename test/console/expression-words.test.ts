import { createFormatter, createTranslator } from 'use-intl';
import { describe, expect, it } from 'vitest';
import { en } from '../../src/console/messages/en/index.ts';
import { es } from '../../src/console/messages/es/index.ts';
import { expressionInWords } from '../../src/console/pages/campaigns/expression-words.ts';

describe('The sentence about an expression', () => {
  const wordsIn = (locale: string, messages: typeof en, expression: string) => {
    const formats = { dateTime: { moment: { dateStyle: 'short', timeStyle: 'short', timeZone: 'UTC' } } } as const;
    const t = createTranslator({ locale, messages, formats, namespace: 'expressions' });
    return expressionInWords(expression, { t: t as never, format: createFormatter({ locale, formats }) });
  };

  it.each([
    [
      'event.category in ["coffee", "tea"] && event.price > 2',
      'category is coffee or tea and price is more than 2',
      'category es coffee o tea y price es mayor que 2',
    ],
    ['event.amount >= 1250.5', 'the amount is at least 1,250.5', 'la cantidad es como mínimo 1250,5'],
    ['event.category == "iced tea"', 'category is “iced tea”', 'category es «iced tea»'],
    ["event.category != 'tea' && event.price <= -1", 'category is not tea and price is at most -1', undefined],
    ['!event.gift && event.hot', 'gift is no and hot is yes', 'gift es no y hot es sí'],
    ['event.gift == false', 'gift is no', 'gift es no'],
    ['"new" in event.tags', 'tags contains new', 'tags contiene new'],
    ['has(event.tags) && !has(account.tier)', 'tags has a value and account.tier has no value', undefined],
    [
      'account.createdAt < timestamp("2026-01-31T08:00:00Z")',
      'the creation of the account is before 1/31/26, 8:00 AM',
      'la creación de la cuenta es anterior a 31/1/26, 8:00',
    ],
  ])('is in words: %s', (expression, english, spanish) => {
    // The time of day has a narrow space in front of AM.
    expect(wordsIn('en', en, expression).replaceAll('\u202F', ' ')).toBe(english);
    if (spanish !== undefined) expect(wordsIn('es', es as never, expression)).toBe(spanish);
  });

  it.each([
    'event.price > 2 || event.gift',
    'event.price * 2 > 4',
    'event.price > event.limit',
    '(event.gift)',
    '!(event.gift)',
    'event.category in []',
    'event.category.startsWith("te")',
    'event.category == "a\\nb"',
    'event.gift &&',
    'event.gift // always',
    'event.orderedAt + duration("1h") < now',
    '',
  ])('is the text of one that is not simple: %s', (expression) => {
    expect(wordsIn('en', en, expression)).toBe(expression);
  });
});
