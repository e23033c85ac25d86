/** A sentence of the service. */
export type Sentence = {
  /** In English, whole. */
  readonly message: string;
  /**
   * Its form and values: `message`, `0`, `1` ..., and `1.message`, `1.0` ... where a value is a sentence itself. Empty for a sentence
   * without values, and for a sentence that was too long to be sent in parts.
   */
  readonly metadata: Readonly<Record<string, string>>;
};

/** The translation of service sentences into a language. */
export type Speech = {
  /** Sentences by their English form; undefined for English. */
  readonly forms: Readonly<Record<string, string>> | undefined;
  /** The label of a field in forms, for example `endsAt`. */
  label(field: string): string | undefined;
  /** The label of one of several, for example `missions[0]`. */
  element(list: string, number: number): string | undefined;
  /** The label of a value of the API, for example `DRAFT`. */
  word(value: string): string | undefined;
  moment(date: Date): string;
  number(value: number): string;
  quoted(text: string): string;
};

/**
 * A sentence of the service in the words of the console: translated, with moments, numbers, fields and values as the console
 * writes them. The service's own English for a sentence that is not known, as those of a newer service.
 */
export function inWordsOf(speech: Speech, { message, metadata }: Sentence): string {
  const form = metadata['message'] ?? message;
  if (speech.forms !== undefined && speech.forms[form] === undefined && hasWords(form)) return message;
  return formInWords(speech, metadata, '', form);
}

/** Whether a form is more than placeholders and punctuation, which are the same in every language. */
export function hasWords(form: string): boolean {
  return /\p{L}/u.test(form);
}

function formInWords(speech: Speech, metadata: Sentence['metadata'], prefix: string, form: string): string {
  // A placeholder in backticks holds the name of a field, which is quoted as a label.
  const pieces = (speech.forms?.[form] ?? form).replaceAll(/`(\{\d+\})`/g, '$1').split(/\{(\d+)\}/);
  return pieces
    .map((piece, at) => {
      if (at % 2 === 0) return inFormWords(speech, piece, at === 0);
      const isQuoted = /['«]$/.test(pieces[at - 1] ?? '');
      return valueAt(speech, metadata, prefix + piece, isQuoted);
    })
    .join('');
}

function valueAt(speech: Speech, metadata: Sentence['metadata'], key: string, isQuoted: boolean): string {
  const form = metadata[`${key}.message`];
  if (form !== undefined) return formInWords(speech, metadata, `${key}.`, form);
  const value = metadata[key] ?? '';
  return isQuoted ? value : valueInWords(speech, value);
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z$/;
const NUMBER = /^-?\d+(\.\d+)?$/;
/** A name in expressions, which users write as it is. */
const EXPRESSION_NAME = /^(?:event|account)\.\w+$/;
const FIELD = /^`?([a-z]\w*(?:\[\d+\])?(?:\.\w+(?:\[\d+\])?)*)`?$/;

function valueInWords(speech: Speech, value: string): string {
  if (MOMENT.test(value)) return speech.moment(new Date(value));
  if (NUMBER.test(value)) return speech.number(Number(value));
  if (EXPRESSION_NAME.test(value)) return value;
  const [, path] = FIELD.exec(value) ?? [];
  return (path === undefined ? speech.word(value) : labelled(speech, path)) ?? value;
}

/** Fields in backticks or in camel case, a field that a sentence begins with, and values in capitals. Other words stay. */
const NAMES = /`[a-z][\w.[\]]*`|\b[a-z]+(?:[A-Z][a-z]+)+\b|\b[A-Z]{3,}(?:_[A-Z]+)*\b/g;

function inFormWords(speech: Speech, text: string, isBeginning: boolean): string {
  const rest = text.replaceAll(NAMES, (name) =>
    /^[A-Z]/.test(name) ? (speech.word(name) ?? name) : (labelled(speech, name.replaceAll('`', '')) ?? name),
  );
  return isBeginning ? rest.replace(/^[a-z]+(?= )/, (name) => labelled(speech, name) ?? name) : rest;
}

/** `missions[0].conditions.maxPerPeriod` as “Mission 1, At most per period”; undefined if the forms have no such field. */
function labelled(speech: Speech, path: string): string | undefined {
  const words = path.split('.').flatMap((step) => {
    const [, name = '', index] = /^(\w+)(?:\[(\d+)\])?$/.exec(step) ?? [];
    const number = index === undefined ? undefined : Number(index) + 1;
    return (number === undefined ? undefined : speech.element(name, number)) ?? speech.label(name) ?? [];
  });
  return words.length === 0 ? undefined : speech.quoted(words.join(', '));
}
