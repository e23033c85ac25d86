import type { DescEnum, DescEnumValue, DescField, DescMessage, DescMethod, DescService } from '@bufbuild/protobuf';
import { getComments } from '@bufbuild/protoplugin';

/**
 * The comment above a declaration as the text of a document: lines joined to paragraphs, fields spelled as in JSON, and
 * without the notes that say which part of the published contract a declaration serves. Empty without a comment.
 */
export function commentOf(desc: DescMessage | DescField | DescEnum | DescEnumValue | DescMethod | DescService): string {
  const lines = (getComments(desc).leading ?? '').split('\n').map((line) => line.trim());
  const paragraphs: string[][] = [[]];
  for (const line of lines) {
    if (line === '') paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  const texts = paragraphs.map((paragraph) =>
    withJsonNames(paragraph.join(' ').replace(/ ?\bContract: [^.]*\./g, '')).trim(),
  );
  return texts.filter((text) => text !== '').join('\n\n');
}

/** The first sentence, without its full stop. */
export function summaryOf(comment: string): string {
  const [first = ''] = comment.split(/(?<=[.?!])\s/, 1);
  return first.replace(/\.$/, '');
}

/** Fields in backticks as JSON spells them: `account_id` as `accountId`. */
export function withJsonNames(text: string): string {
  return text.replace(/`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`/g, (_, name: string) => {
    return `\`${name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())}\``;
  });
}
