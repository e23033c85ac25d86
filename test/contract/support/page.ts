/** A fenced block of a page. */
export type Block = { readonly language: string; readonly code: string };

/** The fenced blocks of a page in their order; in tabs, only those of curl. */
export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w+)(?: curl)?\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
}

/** The first block in a language. */
export function blockOf(markdown: string, language: string): string {
  const block = blocksOf(markdown).find((each) => each.language === language);
  if (!block) throw new Error(`There is no block of ${language}.`);
  return block.code;
}
