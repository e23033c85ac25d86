/**
 * A path of REST, segment by segment, for example `/accounts/{id}/erase`. It supports the part of `google.api.http` that the protos use:
 * text, and variables of one whole segment. Wildcards, variables of several segments and custom verbs are refused.
 */
export type PathTemplate = readonly Segment[];

export type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  /** Any non-empty segment. `fieldPath`: names of fields as in the proto, joined by dots. */
  | { readonly kind: 'variable'; readonly fieldPath: string };

const FIELDS_IN_BRACES = 'write the names of fields in braces, such as "{id}" or "{account.id}"';

/** @throws Error with the template, the column (from 1) and a correction */
export function parsePathTemplate(template: string): PathTemplate {
  if (!template.startsWith('/')) fail(template, 0, 'expected "/"');
  const segments: Segment[] = [];
  let start = 1;
  for (const text of template.slice(1).split('/')) {
    const segment = readSegment(template, start, text);
    if (segment.kind === 'variable' && fieldPathsOf(segments).includes(segment.fieldPath)) {
      fail(template, start, `the variable "${text}" occurs twice. Name another field`);
    }
    segments.push(segment);
    start += text.length + 1;
  }
  return segments;
}

/** The variables of the template, in order. */
export function fieldPathsOf(template: PathTemplate): string[] {
  return template.flatMap((segment) => (segment.kind === 'variable' ? [segment.fieldPath] : []));
}

function readSegment(template: string, start: number, text: string): Segment {
  // The valid beginning of the segment. Text has only one spelling, so characters that need an escape are refused.
  const good = /^(?:\{[\w.]*\}?|[\w.~-]*)/.exec(text)?.[0].length ?? 0;
  if (good < text.length) fail(template, start + good, adviceFor(text, good));
  if (text === '') fail(template, start, 'a segment is empty. Write text or a variable such as "{id}"');
  if (!text.startsWith('{')) return { kind: 'literal', text };
  const fieldPath = /^\{([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\}$/.exec(text)?.[1];
  if (fieldPath !== undefined) return { kind: 'variable', fieldPath };
  return fail(template, start, FIELDS_IN_BRACES);
}

/** The message about an invalid character at `at`. */
function adviceFor(text: string, at: number): string {
  const before = text.slice(0, at);
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (character === '*') return 'a wildcard is not served. Write a variable for each segment, such as "{id}"';
  if (before.startsWith('{') && !before.endsWith('}')) {
    return character === '=' ? `a variable is any one segment. Write "${before}}"` : FIELDS_IN_BRACES;
  }
  if (character === ':') return `a custom verb is not served. Write "/${text.slice(at + 1)}", a segment of its own`;
  if (/[{}]/.test(character) || before.endsWith('}')) {
    return 'a variable is a whole segment. Write it between slashes, such as "/{id}/"';
  }
  return `unexpected "${character}". Write letters, digits, "-", ".", "_" and "~" only`;
}

function fail(template: string, at: number, problem: string): never {
  throw new Error(`Path template "${template}", column ${at + 1}: ${problem}.`);
}
