import type { Sentence } from './service-sentence.ts';

/** A sentence form, with the placeholders of its values in a text. */
type Sought = {
  readonly form: string;
  readonly letters: number;
  readonly placeholders: readonly string[];
  readonly is: RegExp;
};

/** Minimum number of fixed letters in a template; a shorter template would match human text by chance. */
const LETTERS_AT_LEAST = 8;

/** Characters with a meaning in an expression. */
const SIGNS = /[$()*+.?[\\\]^{|}]/g;
const PLACEHOLDER = /\{(\d+)\}/;
const sought = new WeakMap<object, readonly Sought[]>();

/**
 * The form and values of a sentence that was stored as English text, as `metadata` of a {@link Sentence} has them: of
 * the matching templates the one with the most fixed words. Empty for a text that is no sentence of the service.
 * @param forms a language's sentences, by their English form
 */
export function partsOfStored(forms: Readonly<Record<string, string>>, text: string): Sentence['metadata'] {
  const parts: Record<string, string> = {};
  addParts(parts, '', forms, text);
  return parts;
}

function addParts(
  parts: Record<string, string>,
  prefix: string,
  forms: Readonly<Record<string, string>>,
  text: string,
) {
  const found = soughtIn(forms).find(({ is }) => is.test(text));
  if (found === undefined) return;
  const [, ...values] = found.is.exec(text) ?? [];
  parts[`${prefix}message`] = found.form;
  for (const [index, value] of values.entries()) {
    const key = `${prefix}${found.placeholders[index] ?? ''}`;
    parts[key] = value;
    // A value may be a sentence itself, and that is shorter than the text around it.
    addParts(parts, `${key}.`, forms, value);
  }
}

/** Templates with values, those with the most fixed letters first; created once for a language. */
function soughtIn(forms: Readonly<Record<string, string>>): readonly Sought[] {
  const known = sought.get(forms);
  if (known !== undefined) return known;
  const made = Object.keys(forms)
    .filter((form) => PLACEHOLDER.test(form))
    .map(soughtOf)
    .filter(({ letters }) => letters >= LETTERS_AT_LEAST)
    .toSorted((one, other) => other.letters - one.letters);
  sought.set(forms, made);
  return made;
}

function soughtOf(form: string): Sought {
  const pieces = form.split(/\{(\d+)\}/);
  const texts = pieces.filter((_, at) => at % 2 === 0);
  return {
    form,
    letters: texts.join('').match(/\p{L}/gu)?.length ?? 0,
    placeholders: pieces.filter((_, at) => at % 2 === 1),
    is: new RegExp(`^${texts.map((piece) => piece.replaceAll(SIGNS, '\\$&')).join('(.+?)')}$`, 's'),
  };
}
