/** The house style: docs/decisions/0094-plain-words.md has its reasons and examples. */

/** A phrase that readers have to decode, and its plain replacement. */
export type Phrase = { readonly pattern: RegExp; readonly instead: string };

/** Words in a sentence, or in a part of it before a colon or semicolon; longer ones hide a second idea. */
export const SENTENCE_WORDS_MAX = 35;

/** Characters in a line of a page or a comment. */
export const LINE_MAX = 140;

/** Sentences whose subject is a clause, or that begin without a noun. Questions may begin so; "Not met" is an answer in a table. */
export const CLAUSE_OPENING =
  /^(?:What|Not(?! (?:met|applicable|measured|sent|part|limited|found)\b)|Nor|Whoever|Whatever|Whichever|Of (?!several\b|these\b|the \d|its\b|more\b)|Those(?! of\b)|None(?! (?:of|found)\b|[.:])|Undefined of|Only of|Told|Tells?)\b/;

/** Clefts such as "it is the batch that ...": the noun belongs in front. */
export const CLEFT = /\bit (?:is|was) (?:(?:the|a|an|only|by|in|at|for) )(?:\w+ ){1,5}(?:that|who)\b/i;

/** A repeated word. `that that` and `had had` are grammar. */
export const DOUBLED = /\b(?!(?:that|had) )(\p{L}+) \1\b/u;

/** Private or dated phrases. */
export const PHRASES: readonly Phrase[] = [
  { pattern: /\banew\b/i, instead: '"again"' },
  { pattern: /\blaps(?:e|es|ed)\b/i, instead: '"expires" or "ends"' },
  { pattern: /\breckon(?:s|ed|ing)?\b/i, instead: '"estimate" or "calculate"' },
  { pattern: /\bwho(?:so)?ever\b/i, instead: 'the noun: "a caller", "the operator"' },
  { pattern: /\b(?:goes|gone|went|going) on\b(?! (?:a|an|the)\b)/i, instead: '"continues"' },
  { pattern: /\b(?:tells?|told|hears?|heard) of\b/i, instead: '"reports" or "learns about"' },
  { pattern: /\b(?:let|lets|letting) go of\b/i, instead: '"releases"' },
  { pattern: /\b(?:by|of) (?:itself|themselves)\b/i, instead: '"automatically" or "alone"' },
  { pattern: /\bof (?:its|their) own\b/i, instead: '"its own ..." or "a separate ..."' },
  { pattern: /\bthat there (?:is|are)\b/i, instead: '"existing"' },
  { pattern: /\bnothing of\b/i, instead: '"no ..."' },
  { pattern: /\bbe it that\b/i, instead: '"even if"' },
  { pattern: /\bstands? (?:still|for what)\b/i, instead: '"is blocked" or "represents"' },
];
