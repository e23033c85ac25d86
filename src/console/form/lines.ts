/** The entries of a text area: one a line, without the space around them; empty lines and repeats are left out. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}
