import type { DescEnum, DescField, DescMessage, DescMethod, DescService } from '@bufbuild/protobuf';
import { getComments } from '@bufbuild/protoplugin';

/**
 * The comment above a declaration as the text of a document: lines joined to paragraphs, fields spelled as in JSON, and
 * without the notes that say which part of the published contract a declaration serves. Empty without a comment.
 */
export function commentOf(desc: DescMessage | DescField | DescEnum | DescMethod | DescService): string {
  const lines = (getComments(desc).leading ?? '').split('\n').map((line) => line.trim());
  const paragraphs: string[][] = [[]];
  for (const line of lines) {
    if (line === '' || line.startsWith('Errors:')) paragraphs.push([]);
    if (line !== '') paragraphs.at(-1)?.push(line);
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

/** One status that a comment lists after "Errors:", with the codes that go with it. */
export type StatedError = { readonly status: number; readonly codes: readonly string[] };

/** What a comment says after "Errors:", for example `400 BAD_REQUEST, 404 ACCOUNT_NOT_FOUND (INTERNAL only)`. */
export function statedErrors(comment: string): StatedError[] {
  const text = comment.split('Errors:', 2)[1] ?? '';
  const codes = new Map<number, string[]>();
  for (const [, status = '', code] of text.matchAll(/\b([45]\d\d)(?: ([A-Z][A-Z_]+))?/g)) {
    const known = codes.get(Number(status)) ?? [];
    codes.set(Number(status), code === undefined || known.includes(code) ? known : [...known, code]);
  }
  return [...codes].map(([status, each]) => ({ status, codes: each }));
}

function withJsonNames(text: string): string {
  return text.replace(/`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`/g, (_, name: string) => {
    return `\`${name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())}\``;
  });
}
