import { describe, expect, it } from 'vitest';
import { en } from '../../src/console/messages/en/index.ts';
import { es, serviceMessages } from '../../src/console/messages/es/index.ts';
import { hasWords, inWordsOf, type Speech } from '../../src/console/language/service-sentence.ts';
import { fieldLabels, valueWords } from '../../src/console/language/service-vocabulary.ts';
import { joined, partsOf, type Sentence, sentence } from '../../src/kernel/sentence.ts';
import { auditedFields } from '../support/audited-fields.ts';
import { partsOfStored } from '../../src/console/language/stored-sentence.ts';
import { sentenceForms } from '../support/sentence-forms.ts';

type Texts = { readonly [key: string]: string | Texts };

/** Every text by its whole key. */
function flat(texts: Texts, prefix = ''): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(texts).map(([key, text]) =>
      typeof text === 'string' ? { [prefix + key]: text } : flat(text, `${prefix}${key}.`),
    ),
  ) as Record<string, string>;
}

/** The arguments of a text. Brackets contain in turn an argument and a text inside it: `{count, plural, one {it}}`. */
function argumentsOf(text: string): string[] {
  const names = new Set<string>();
  let depth = 0;
  for (const [bracket, name = ''] of text.matchAll(/\{\s*(\w*)|\}/g)) {
    if (bracket === '}') depth -= 1;
    else if (depth++ % 2 === 0) names.add(name);
  }
  return [...names].toSorted();
}

const english = flat(en);
const spanish = flat(es);

describe('The texts of the console', () => {
  it('exist in both languages under the same keys', () => {
    expect(Object.keys(spanish).toSorted()).toEqual(Object.keys(english).toSorted());
  });

  it('take the same arguments in both languages', () => {
    const different = Object.keys(english).filter(
      (key) => argumentsOf(english[key] ?? '').join() !== argumentsOf(spanish[key] ?? '').join(),
    );
    expect(different).toEqual([]);
  });

  it('have one Spanish word for a reward: only a prize is a premio', () => {
    const texts = [
      ...Object.keys(english).map((key) => [english[key]!, spanish[key]!]),
      ...Object.entries(serviceMessages),
    ];
    expect(texts.filter(([, inSpanish]) => /\bpremios?\b/i.test(inSpanish!)).length).toBeGreaterThan(5);
    const wrong = texts.filter(([one, other]) => /\bpremios?\b/i.test(other!) && !/prize/i.test(one!));
    expect(wrong).toEqual([]);
  });

  it('are never empty', () => {
    const empty = [...Object.entries(english), ...Object.entries(spanish)].filter(([, text]) => text.trim() === '');
    expect(empty).toEqual([]);
  });
});

describe('The fields of the audit log', () => {
  it("have words each, the form's or their own, and none has both", async () => {
    const names = await auditedFields(Object.keys(en.audit.kinds));
    expect(names.size).toBeGreaterThan(100);
    const own = Object.keys(en.audit.fields);
    const wordless = [...names].filter((name) => !Object.hasOwn(fieldLabels, name) && !own.includes(name));
    const unused = own.filter((name) => !names.has(name) || Object.hasOwn(fieldLabels, name));
    expect({ wordless, unused }).toEqual({ wordless: [], unused: [] });
  });
});

describe('The sentences of the service', () => {
  it('have a Spanish one each, and there is no Spanish one of what the service does not say', async () => {
    const templates = await sentenceForms();
    // A text that no source file uses is a fault, like a missing one.
    expect(templates.size).toBeGreaterThan(250);
    const missing = [...templates].filter((form) => hasWords(form) && !Object.hasOwn(serviceMessages, form));
    const unused = Object.keys(serviceMessages).filter((template) => !templates.has(template));
    expect({ missing: missing.toSorted(), unused }).toEqual({ missing: [], unused: [] });
  });

  it('have the same placeholders in both languages', () => {
    const placeholders = (text: string) => [...new Set(text.match(/\{\d+\}/g))].toSorted().join();
    // Values in the address of a call do not appear in the form.
    const dropped = new Set([
      'No {0} webhook is configured; store one by PUT /webhooks/{1}.',
      "{0} '{1}' is not a UUID. Send the id that the service returned, or your own id with idType=EXTERNAL.",
      'The product has no item {0}. Send one of its items, or leave `itemId` out: {1}.',
    ]);
    const different = Object.entries(serviceMessages).filter(
      ([form, text]) => !dropped.has(form) && placeholders(form) !== placeholders(text),
    );
    expect(different).toEqual([]);
  });

  it('find the labels of fields and the words of values in the catalogues of both languages', () => {
    const keys = [...Object.values(fieldLabels), ...Object.values(valueWords)];
    expect(keys.filter((key) => !Object.hasOwn(english, key) || !Object.hasOwn(spanish, key))).toEqual([]);
  });
});

describe('A sentence of the service in Spanish', () => {
  const labels: Readonly<Record<string, string>> = { endsAt: 'Termina', name: 'Nombre', target: 'Objetivo' };
  const speech: Speech = {
    forms: serviceMessages,
    label: (field) => labels[field],
    element: (list, number) => (list === 'missions' ? `Misión ${number}` : undefined),
    word: (value) => (value === 'DRAFT' ? 'Borrador' : undefined),
    moment: (date) => `<${date.getTime()}>`,
    number: (value) => `#${value}`,
    quoted: (text) => `«${text}»`,
  };
  const inSpanish = (original: Sentence) =>
    inWordsOf(speech, { message: String(original), metadata: partsOf(original) });

  it('has moments, numbers, values and fields as the console writes them, and names as they are', () => {
    expect(inSpanish(sentence`Nothing counts before ${new Date(5)}.`)).toBe('Nada cuenta antes del <5>.');
    expect(inSpanish(sentence`The campaign is a ${'DRAFT'}. Activate it first.`)).toContain('es Borrador.');
    expect(inSpanish(sentence`since then came ${sentence`a closing`}`)).toBe(
      'desde entonces hubo el cierre de una campaña',
    );
    expect(inSpanish(sentence`The chest '${'DRAFT'}' is archived. Send another one.`)).toContain('«DRAFT»');
    expect(inSpanish(sentence`The chest '${'1200'}' is archived. Send another one.`)).toContain('«1200»');
    expect(inSpanish(sentence`${'campaign.missions[1].endsAt'}: ${sentence`target must be above 0.`}`)).toBe(
      '«Misión 2, Termina»: «Objetivo» debe ser mayor que 0.',
    );
    expect(inSpanish(joined([sentence`Add codes to it.`, sentence`move its end`], ' '))).toBe(
      'Añádele códigos. mueve su final',
    );
  });

  it('is found in the English text that was stored of it, and what somebody wrote stays as it is', () => {
    const read = (text: string) => inWordsOf(speech, { message: text, metadata: partsOfStored(serviceMessages, text) });
    expect(read('The column code is there twice. Remove one of the two.')).toContain('La columna code está dos veces.');
    expect(read("There is no account with the externalId 'guest-zoe'. Resolve it first.")).toContain('«guest-zoe».');
    expect(read('The signing secret was rotated.')).toBe('Se renovó el secreto de firma.');
    expect(read(String(sentence`${3} units added.`))).toBe('Unidades añadidas: #3.');
    expect(read('2 wrong passwords in the hour from 1970-01-01T00:00Z.')).toContain('<0>');
    for (const written of ['Arrived broken: 2 of 3.', 'Asked for it (twice).', '', 'units added'])
      expect(read(written)).toBe(written);
  });

  it('puts values in once, whatever they hold', () => {
    expect(inSpanish(sentence`The chest '${'{0} `name` $1'}' is archived. Send another one.`)).toContain(
      '«{0} `name` $1»',
    );
  });

  it('is the English one of the service where the page does not know it', () => {
    const unknown = sentence`A newer service says ${'something'} else.`;
    expect(inSpanish(unknown)).toBe('A newer service says something else.');
  });
});
