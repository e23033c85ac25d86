import { ASTNodeTypes, type TxtParagraphNode, type TxtTableCellNode } from '@textlint/ast-node-types';
import type { TextlintRuleModule } from '@textlint/types';
import { split } from 'sentence-splitter';
import { StringSource } from 'textlint-util-to-string';
import { CLAUSE_OPENING, CLEFT, DOUBLED, PHRASES, SENTENCE_WORDS_MAX } from './house-style.ts';

/** A cell that quotes titles of tests, which are not prose. */
const NAMES_TESTS = /\.test\.ts|`[a-z]+\/[\w/-]+` \S/;

/** Nodes whose text is not prose. */
const MASKED: ReadonlySet<string> = new Set([ASTNodeTypes.Code]);

/** Reports each sentence that breaks the house style, with the text to write instead. Code spans are masked. */
export const houseStyle: TextlintRuleModule = ({ report, RuleError, locator, getSource }) => {
  function check(node: TxtParagraphNode | TxtTableCellNode, faultsOf: (sentence: string) => string[]): void {
    const source = new StringSource(node, {
      replacer: ({ node: child, maskValue }) => (MASKED.has(child.type) ? maskValue('C') : undefined),
    });
    for (const { type, raw, range } of split(source.toString())) {
      if (type !== 'Sentence') continue;
      const padding = locator.at(source.originalIndexFromIndex(range[0]) ?? 0);
      for (const fault of faultsOf(raw)) report(node, new RuleError(fault, { padding }));
    }
  }
  return {
    [ASTNodeTypes.Paragraph](node: TxtParagraphNode): void {
      check(node, (sentence) => [...lengthFaults(sentence), ...wordFaults(sentence)]);
    },
    [ASTNodeTypes.TableCell](node: TxtTableCellNode): void {
      if (!NAMES_TESTS.test(getSource(node))) check(node, wordFaults);
    },
  };
};

function lengthFaults(sentence: string): string[] {
  // A colon or a semicolon ends an idea as well.
  if (!/[.:?!)]$/.test(sentence)) return [];
  const words = Math.max(
    ...sentence.split(/[:;] /).map((part) => part.match(/(?!C+\b)\p{L}[\p{L}\d'’-]*/gu)?.length ?? 0),
  );
  return words > SENTENCE_WORDS_MAX ? [`${words} words: divide the sentence, ${SENTENCE_WORDS_MAX} at most.`] : [];
}

function wordFaults(sentence: string): string[] {
  const opening = /[.:]$/.test(sentence) && CLAUSE_OPENING.exec(sentence)?.[0];
  const cleft = CLEFT.exec(sentence)?.[0];
  const doubled = DOUBLED.exec(sentence)?.[0];
  const phrases = PHRASES.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(sentence)?.[0];
    return found === undefined ? [] : [`"${found}": write ${instead}.`];
  });
  return [
    ...(opening ? [`"${opening} ...": begin with the noun.`] : []),
    ...(cleft ? [`"${cleft}": put the noun in front, without "it is".`] : []),
    ...(doubled ? [`"${doubled}": a word twice.`] : []),
    ...phrases,
  ];
}
