// The texts of widgets, and the words that they make of values.
import { describe, expect, test } from 'vitest';
import { Words } from '../../../packages/widgets/src/base/words.ts';
import { ar } from '../../../packages/widgets/src/texts/ar.ts';
import { en, type Text, type TextKey } from '../../../packages/widgets/src/texts/en.ts';
import { es } from '../../../packages/widgets/src/texts/es.ts';

const languages: Readonly<Record<string, Readonly<Record<TextKey, Text>>>> = { en, es, ar };
const keys = Object.keys(en) as TextKey[];

/** Every form of a text. */
const formsOf = (text: Text): string[] => (typeof text === 'string' ? [text] : Object.values(text));
const valuesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted();

describe('each language', () => {
  test.each(Object.keys(languages))('%s names the same values in each form of each text', (language) => {
    for (const key of keys) {
      const wanted = valuesIn(formsOf(en[key]).at(-1)!);
      for (const form of formsOf(languages[language]![key])) expect([key, valuesIn(form)]).toEqual([key, wanted]);
    }
  });

  test.each(Object.keys(languages))('%s has a form for every number', (language) => {
    const words = new Words(language);
    for (const key of keys.filter((each) => typeof languages[language]![each] !== 'string'))
      for (const count of [0, 1, 2, 3, 11, 99, 100, 0.5, 1_000_000])
        expect(words.text(key, { count, date: 'X' }), `${key} ${count}`).toMatch(/\p{L}/u);
  });
});

test('numbers are written as in the language and its region', () => {
  expect(new Words('en').text('pointsPending', { count: 1234.5 })).toBe('1,234.5 more points are waiting');
  expect(new Words('es').text('pointsPending', { count: 12345.5 })).toBe('12.345,5 puntos más están en espera');
  expect(new Words('es-MX').number(12345.5)).toBe('12,345.5');
  expect(new Words('en').text('pointsPending', { count: 1 })).toBe('1 more point is waiting');
});

test('a share of some is never none, and a share of most never all', () => {
  const words = new Words('en');
  expect([0, 0.0001, 0.005, 0.5, 0.999, 1].map((share) => words.percent(share))).toEqual([
    ...['0%', '0.01%', '0.5%', '50%', '99%', '100%'],
  ]);
});

test('the texts of the page come first, also for a language that the widgets do not have', () => {
  const texts = { en: { pointsTitle: 'Stars' }, fr: { pointsTitle: 'Étoiles' } };
  expect(new Words('en-GB', texts).text('pointsTitle')).toBe('Stars');
  expect(new Words('fr-CA', texts).text('pointsTitle')).toBe('Étoiles');
  expect(new Words('fr', texts).text('offline')).toBe(en.offline);
  expect(new Words('es', texts).text('pointsTitle')).toBe('Puntos');
});

test('a language without texts, or none at all, is English as a whole', () => {
  for (const language of ['de', 'no such language', '', 'x']) {
    const words = new Words(language);
    expect([words.language, words.direction, words.number(1234.5)]).toEqual(['en', 'ltr', '1,234.5']);
  }
});

test('Arabic is written from right to left, and a name within it is isolated', () => {
  expect(new Words('ar-EG').direction).toBe('rtl');
  expect(new Words('arn').direction).toBe('ltr');
  expect(new Words('ar').text('levelMissing', { count: 3, level: 'Gold' })).toContain('\u2068Gold\u2069');
});
