// Names and comments as Python has them.

/** A name that stays as it is. */
export function asIs(name: string): string {
  return name;
}

/** `get_account` for `GetAccount`. */
export function snake(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** The comment of a declaration, as it stands below it. Empty without a comment. */
export function docstring(comment: string, indent: string, spelled: (name: string) => string = snake): string {
  if (comment === '') return '';
  const text = comment
    .replaceAll(/`([a-z]+(?:[A-Z][a-z]+)+)`/g, (_, name: string) => `\`${spelled(name)}\``)
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', "'''");
  const lines = text.split('\n').flatMap((line) => wrapped(line, 116 - indent.length));
  const [only = ''] = lines;
  if (lines.length === 1) return `${indent}"""${only}${only.endsWith('"') ? ' ' : ''}"""\n`;
  return `${indent}"""\n${lines.map((line) => `${indent}${line}`.trimEnd()).join('\n')}\n${indent}"""\n`;
}

function wrapped(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
