/** The fenced code blocks of a page in one language, in their order. */
export function blocksOf(markdown: string, language: string): string[] {
  return [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, name, code]) =>
    name === language && code !== undefined ? [code] : [],
  );
}
