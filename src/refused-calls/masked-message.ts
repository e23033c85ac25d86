const ELLIPSIS = '…';

/** Longer texts are masked wherever they stand, shorter ones only as a whole quotation: `a` is in every message. */
const SHORT = 4;

/** Messages shorten what they quote, but not to less. */
const BEGINNING = 40;

/** A message without the texts that the caller had sent, whatever their case. */
export function maskedMessage(message: string, texts: readonly string[]): string {
  const lower = message.toLowerCase();
  return [...new Set(texts.map((text) => text.slice(0, BEGINNING)))]
    .filter((text) => text !== '' && lower.includes(text.toLowerCase()))
    .toSorted((one, other) => other.length - one.length)
    .reduce(masked, withoutKeys(message));
}

function masked(message: string, text: string): string {
  const literal = text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const rest = text.length === BEGINNING ? String.raw`[^'"\s]*` : '';
  const pattern = text.length >= SHORT ? `${literal}${rest}` : `(?<=['"\`])${literal}(?=['"\`])`;
  return message.replaceAll(new RegExp(pattern, 'gi'), ELLIPSIS);
}

/** Keys of maps in a path are the caller's own texts: `labels["a"]`. */
function withoutKeys(message: string): string {
  return message.replaceAll(/\["(?:[^"\\]|\\.)*"\]/g, `["${ELLIPSIS}"]`);
}

/** The end of a message of the gateway: the value in place of the expected one. */
const INSTEAD = /, not (?!an array|an object|null)[^]*$/;

/** Texts in double quotes, except names of fields. */
const QUOTED = /"(?:[^"\\]|\\.)*"(?! is not a field| must be| is given| cannot)/g;

/** The message about a request that cannot be read, without values of it: they are not known, and so everything that it quotes goes. */
export function unreadMessage(message: string): string {
  return message
    .replace(/^(The body is not valid JSON)[^]*$/, '$1.')
    .replace(INSTEAD, ', not what was sent.')
    .replaceAll(QUOTED, `"${ELLIPSIS}"`);
}

/** The field at the beginning of such a message; undefined if it names none. */
export function fieldOf(message: string): string | undefined {
  return /^"?([\w.[\]]{1,200})"? (?:is not a field|must be)/.exec(message)?.[1];
}
