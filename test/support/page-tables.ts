/** The tables of a page in Markdown, each with its rows of cells: the head first, then the line below it. */
export function pageTables(page: string): string[][][] {
  return [...page.matchAll(/(?:^\|.*\|\n)+/gm)].map(([text]) =>
    text
      .trim()
      .split('\n')
      .map((line) =>
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      ),
  );
}
