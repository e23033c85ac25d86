/** The house style: docs/decisions/0094-plain-words.md has its reasons and examples. */

/** A phrase that readers have to decode, and the plain one to write instead. */
export type Phrase = { readonly pattern: RegExp; readonly instead: string };

/** Words in a sentence, or in a part of it before a colon or semicolon; longer ones hide a second idea. */
export const SENTENCE_WORDS_MAX = 35;

/** Characters in a line of a page or a comment. */
export const LINE_MAX = 140;

/** Sentences whose subject is a clause. Questions may begin so; "Not met" is an answer in a table. */
export const CLAUSE_OPENING =
  /^(?:What|Not(?! (?:met|applicable|measured|sent|part|limited|found)\b)|Nor|Whoever|Whatever|Whichever)\b/;

/** "It is the batch that ...": the noun belongs in front. */
export const CLEFT = /\bit (?:is|was) (?:(?:the|a|an|only|by|in|at|for) )(?:\w+ ){1,5}(?:that|who)\b/i;

/** One word twice. `that that` and `had had` are grammar. */
export const DOUBLED = /\b(?!(?:that|had) )(\p{L}+) \1\b/u;

/** Private or dated phrases. */
export const PHRASES: readonly Phrase[] = [
  { pattern: /\b[Aa]new\b/, instead: '"again"' },
  { pattern: /\blaps(?:e|es|ed)\b/, instead: '"expires" or "ends"' },
  { pattern: /\breckon(?:s|ed|ing)?\b/, instead: '"estimate" or "calculate"' },
  { pattern: /\bwho(?:so)?ever\b/i, instead: 'the noun: "a caller", "the operator"' },
  { pattern: /\b(?:goes|gone|went|going) on\b(?! (?:a|an|the)\b)/, instead: '"continues"' },
  { pattern: /\b(?:tells?|told|hears?|heard) of\b/, instead: '"reports" or "learns about"' },
  { pattern: /\b(?:let|lets|letting) go of\b/, instead: '"releases"' },
  { pattern: /\b(?:by|of) (?:itself|themselves)\b/, instead: '"automatically" or "alone"' },
  { pattern: /\bof (?:its|their) own\b/, instead: '"its own ..." or "a separate ..."' },
  { pattern: /\bthat there (?:is|are)\b/, instead: '"existing"' },
  { pattern: /\bnothing of\b/, instead: '"no ..."' },
  { pattern: /\bbe it that\b/, instead: '"even if"' },
  { pattern: /\bstands? (?:still|for what)\b/, instead: '"is blocked" or "represents"' },
];
