import { split } from 'sentence-splitter';
import type { TxtParagraphNode } from '@textlint/ast-node-types';
import type { TextlintRuleModule } from '@textlint/types';
import { StringSource } from 'textlint-util-to-string';
import { CLAUSE_OPENING, CLEFT, DOUBLED, PHRASES, SENTENCE_WORDS_MAX } from './house-style.ts';

/** Reports each sentence that breaks the house style, with what to write instead. Code is read as the word `code`. */
export const houseStyle: TextlintRuleModule = ({ Syntax, report, RuleError, locator }) => {
  const check = (node: TxtParagraphNode): void => {
    const source = new StringSource(node, {
      replacer: ({ node: child, maskValue }) => (child.type === Syntax.Code ? maskValue('c') : undefined),
    });
    for (const { type, raw, range } of split(source.toString())) {
      if (type !== 'Sentence') continue;
      const start = source.originalIndexFromIndex(range[0]) ?? 0;
      for (const fault of faultsOf(raw)) {
        report(node, new RuleError(fault, { padding: locator.at(start) }));
      }
    }
  };
  return { [Syntax.Paragraph]: check, [Syntax.TableCell]: check };
};

/** What to change in one sentence. */
export function faultsOf(sentence: string): string[] {
  const words = sentence.match(/\p{L}[\p{L}\d'’-]*/gu)?.length ?? 0;
  const phrases = PHRASES.flatMap(({ pattern, instead }) => {
    const [found] = pattern.exec(sentence) ?? [];
    return found === undefined ? [] : [`"${found}": write ${instead}.`];
  });
  const opening = CLAUSE_OPENING.exec(sentence);
  const cleft = CLEFT.exec(sentence);
  const doubled = DOUBLED.exec(sentence);
  return [
    ...(words > SENTENCE_WORDS_MAX ? [`${words} words: divide the sentence, ${SENTENCE_WORDS_MAX} at most.`] : []),
    ...(opening && !sentence.endsWith('?') ? [`"${opening[0]} ...": begin with the noun.`] : []),
    ...(cleft ? [`"${cleft[0]}": put the noun in front, without "it is".`] : []),
    ...(doubled ? [`"${doubled[0]}": a word twice.`] : []),
    ...phrases,
  ];
}
