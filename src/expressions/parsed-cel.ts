import { parse } from '@bufbuild/cel';
import { sentence } from '../kernel/sentence.ts';
import { ExpressionError } from './expression-error.ts';
import type { Token } from './tokens.ts';

/** Words and signs of other languages, and how they are written here. */
const INSTEAD: Readonly<Record<string, string>> = {
  '=': '==',
  '<>': '!=',
  and: '&&',
  AND: '&&',
  or: '||',
  OR: '||',
  not: '!',
  NOT: '!',
  '“': '"',
  '”': '"',
};

/** A token after which an expression cannot end. */
const EXPECTS_MORE = /^(?:&&|\|\||[=!<>]=|in|[-<>+*/%!?:([{,.])$/;

/**
 * CEL's own syntax tree of a text.
 * @param tokens those of the text, which are within the limits
 * @throws ExpressionError for a text that is no CEL
 */
export function parsedCel(text: string, tokens: readonly Token[]): ReturnType<typeof parse> {
  requireClosedQuotes(text, tokens);
  try {
    return parse(text);
  } catch (error) {
    const offset = offsetOf(error) ?? text.length;
    const token = tokens.find(({ end }) => offset < end);
    if (token === undefined || EXPECTS_MORE.test(tokens.at(-1)!.text)) {
      throw new ExpressionError(
        sentence`The expression ends where a value is expected.`,
        text,
        text.length,
        text.length,
      );
    }
    const instead = INSTEAD[tokens[tokens.indexOf(token) + 1]?.text ?? ''] ?? INSTEAD[token.text];
    throw new ExpressionError(
      instead === undefined
        ? sentence`Found ${token.text}, which does not fit here: expected a value or an operator.`
        : sentence`Found ${token.text}, which does not fit here: write ${instead}.`,
      text,
      token.start,
      token.end,
      instead === undefined ? [] : [instead],
    );
  }
}

/** The offset at which CEL's parser gave up. */
function offsetOf(error: unknown): number | undefined {
  const { location } = error as { readonly location?: { readonly start?: { readonly offset?: number } } };
  return location?.start?.offset;
}

/** @throws ExpressionError at a quotation mark that is a whole token: the text behind it never ends */
function requireClosedQuotes(text: string, tokens: readonly Token[]): void {
  const index = tokens.findIndex((token) => token.text === '"' || token.text === "'");
  const opening = tokens[index];
  if (opening === undefined) return;
  // Three marks begin a text of several lines; the first two are read as an empty text.
  const before = tokens[index - 1];
  const isTriple = before?.text === opening.text.repeat(2) && before.end === opening.start;
  const start = isTriple ? before.start : opening.start;
  const lineEnd = text.indexOf('\n', start);
  throw new ExpressionError(
    sentence`The text that begins here has no quotation mark at its end: add ${text.slice(start, opening.end)}.`,
    text,
    start,
    isTriple || lineEnd < 0 ? text.length : lineEnd,
    [text.slice(start, opening.end)],
  );
}
