/** The values of a sentence. Lists are written with commas, times as ISO 8601 in UTC. */
export type SentenceValue = string | number | bigint | Date | Sentence | readonly SentenceValue[];

/**
 * A translatable sentence: its English template with numbered placeholders, `The campaign {0} has ended.`, and the values. To
 * show it in another language, look up the template and insert the values.
 */
export class Sentence {
  /** The English form, with `{0}`, `{1}` ... for the values. */
  readonly template: string;
  readonly values: readonly SentenceValue[];

  constructor(template: string, values: readonly SentenceValue[]) {
    this.template = template;
    this.values = values;
  }

  /** The English sentence. */
  toString(): string {
    return this.template.replaceAll(PLACEHOLDER, (placeholder, index: string) => {
      const value = this.values[Number(index)];
      return value === undefined ? placeholder : textOf(value);
    });
  }
}

const PLACEHOLDER = /\{(\d+)\}/g;

/**
 * A sentence with separate values: sentence`There is no campaign ${id}.` Its English text is that of the template literal. A value that is
 * a sentence must be a sentence`` too, so that it is also translated.
 */
export function sentence(strings: TemplateStringsArray, ...values: readonly SentenceValue[]): Sentence {
  return new Sentence(
    strings.reduce((text, next, index) => `${text}{${index - 1}}${next}`),
    values,
  );
}

function textOf(value: SentenceValue): string {
  if (value instanceof Date) return value.toISOString();
  return isList(value) ? value.map((each) => textOf(each)).join(', ') : String(value);
}

function isList(value: SentenceValue): value is readonly SentenceValue[] {
  return Array.isArray(value);
}

/**
 * A sentence as a map of strings for `google.rpc.ErrorInfo.metadata`: `message` is the English template; `0`, `1` ... are its values. The
 * keys of a nested sentence begin with its number: `1.message`, `1.0`. Empty for a sentence without values.
 */
export function partsOf(whole: Sentence): Record<string, string> {
  const parts: Record<string, string> = {};
  if (whole.values.length > 0) addParts(parts, '', whole);
  return parts;
}

function addParts(parts: Record<string, string>, prefix: string, { template, values }: Sentence): void {
  parts[`${prefix}message`] = template;
  for (const [index, value] of values.entries()) {
    const key = `${prefix}${index}`;
    if (value instanceof Sentence) addParts(parts, `${key}.`, value);
    else if (isList(value)) addParts(parts, `${key}.`, joined(value, ', '));
    else parts[key] = textOf(value);
  }
}

/**
 * Joined values.
 * @param separator without letters, so that it fits every language
 */
export function joined(values: readonly SentenceValue[], separator: string): Sentence {
  return new Sentence(values.map((_, index) => `{${index}}`).join(separator), values);
}
