import { sentence } from '../kernel/sentence.ts';
import { ExpressionError } from './expression-error.ts';

/** The most characters of an expression (UTF-16 code units). */
export const LENGTH_MAX = 4_000;

/** The most names, literals, operators and calls of an expression. */
export const NODES_MAX = 200;

/** The deepest nesting of parentheses and brackets. Signs and conditionals nest as well, but each of them is a node. */
export const DEPTH_MAX = 20;

/** A piece of an expression, from offset `start` up to `end`. */
export type Token = { readonly text: string; readonly start: number; readonly end: number };

const TOKEN =
  /\s+|\/\/[^\n]*|(?:[rRbB]{1,2})?(?:"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?:\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?[uU]?|0[xX][0-9a-fA-F]+[uU]?|[A-Za-z_]\w*|&&|\|\||[=!<>]=|[^]/gu;

const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);
const NO_NODE = new Set([...CLOSING, '(', ',', ':']);

/**
 * The tokens of an expression. It is read once from left to right, so that a hostile text is refused before the parser, which recurses, sees
 * it.
 * @throws ExpressionError for a text that is too long, has too many nodes or nests too deep
 */
export function tokensOf(text: string): Token[] {
  if (text.length > LENGTH_MAX) {
    throw new ExpressionError(sentence`An expression has at most ${LENGTH_MAX} characters.`, text, 0, 0);
  }
  const tokens: Token[] = [];
  let nodes = 0;
  let depth = 0;
  for (const { 0: piece, index: start } of text.matchAll(TOKEN)) {
    if (/^\s|^\/\//.test(piece)) continue;
    const end = start + piece.length;
    tokens.push({ text: piece, start, end });
    if (!NO_NODE.has(piece)) nodes += 1;
    if (OPENING.has(piece)) depth += 1;
    else if (CLOSING.has(piece)) depth -= 1;
    if (nodes > NODES_MAX) {
      throw new ExpressionError(
        sentence`An expression has at most ${NODES_MAX} names, literals and operators. Split it into several missions, or test a list with \`in\`.`,
        text,
        start,
        end,
      );
    }
    if (depth > DEPTH_MAX) {
      throw new ExpressionError(
        sentence`An expression nests at most ${DEPTH_MAX} deep. Remove parentheses.`,
        text,
        start,
        end,
      );
    }
  }
  return tokens;
}
