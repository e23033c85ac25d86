import type {
  DescEnum,
  DescEnumValue,
  DescField,
  DescFile,
  DescMessage,
  DescMethod,
  DescService,
} from '@bufbuild/protobuf';
import { getComments } from '@bufbuild/protoplugin';

/**
 * The comment of a declaration as text of a document: with joined lines, JSON names of fields, and without the notes about the published
 * contract. Empty without a comment.
 */
export function commentOf(desc: Commented): string {
  const lines = (getComments(desc).leading ?? '').split('\n').map((line) => line.trim());
  const paragraphs: string[][] = [[]];
  for (const line of lines) {
    if (line === '') paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  const texts = paragraphs.map((paragraph) =>
    withJsonNames(paragraph.join(' ').replace(/ ?\bContract: [^.]*\./g, ''), desc).trim(),
  );
  return texts.filter((text) => text !== '').join('\n\n');
}

/** The first sentence, without its full stop. */
export function summaryOf(comment: string): string {
  const [first = ''] = comment.split(/(?<=[.?!])\s/, 1);
  return first.replace(/\.$/, '');
}

type Commented = DescMessage | DescField | DescEnum | DescEnumValue | DescMethod | DescService;

/**
 * Replaces fields in backticks by their JSON names: `account_id` as `accountId`. Other names, such as those of cookies, stay unchanged.
 * @param desc the subject of the text: fields of its file and of imported files are known
 */
export function withJsonNames(text: string, desc: Commented): string {
  const file = 'parent' in desc && desc.parent !== undefined ? desc.parent.file : (desc as DescMessage).file;
  return text.replace(/`([a-z][a-z0-9]*(?:_[a-z0-9]+)+)`/g, (whole, name: string) => {
    if (!fieldNamesOf(file).has(name)) return whole;
    return `\`${name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())}\``;
  });
}

const known = new WeakMap<DescFile, ReadonlySet<string>>();

function fieldNamesOf(file: DescFile): ReadonlySet<string> {
  const found = known.get(file);
  if (found !== undefined) return found;
  const names = new Set(file.dependencies.flatMap((each) => [...fieldNamesOf(each)]));
  const note = ({ fields, nestedMessages }: DescMessage): void => {
    for (const { name } of fields) names.add(name);
    nestedMessages.forEach(note);
  };
  file.messages.forEach(note);
  known.set(file, names);
  return names;
}
