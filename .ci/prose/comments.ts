/**
 * The comments of a TypeScript or proto file as Markdown, each on its own line of the file, so that a fault keeps its line. The rest of the
 * file becomes empty lines. A comment begins a line, or follows code after a space; the `//` of an address in a string follows no space.
 */
export function commentsOf(source: string): string {
  let inBlock = false;
  return source
    .split('\n')
    .map((line) => {
      if (inBlock || /^\s*\{?\/\*/.test(line)) {
        inBlock = !line.includes('*/');
        return markdownOf(line.replace(/\*\/.*$/, '').replace(/^\s*(?:\{?\/\*+|\*)?/, ''));
      }
      const own = /^\s*\/\/+(?<text>.*)$/.exec(line)?.groups!['text'];
      if (own !== undefined) return /^ (?:oxlint-|@ts-)/.test(own) ? '' : markdownOf(own);
      const trailing = / \/\/ (?<text>.*)$/.exec(line)?.groups!['text'];
      // A list item, so that it does not continue the comment on the line before.
      return trailing === undefined ? '' : `- ${markdownOf(trailing)}`;
    })
    .join('\n');
}

/** Tags become items of a list, links become code. */
function markdownOf(text: string): string {
  return text
    .trim()
    .replace(/^@(?:param [\w.[\]]+|\w+)\s*/, '- ')
    .replaceAll(/\{@link ([^}]*)\}/g, '`$1`');
}
