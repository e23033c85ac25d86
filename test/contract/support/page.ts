/** A fenced block of a page. `way`: its label, if it is the chosen one of several tabs. */
export type Block = { readonly language: string; readonly code: string; readonly way?: string };

/**
 * The fenced blocks of a page in their order. A group of tabs is one block: that of the way, otherwise the first, which is curl.
 * @param way the label of a tab
 */
export function blocksOf(markdown: string, way = 'curl'): Block[] {
  const blocks: Block[] = [];
  for (const [, language = '', label, code = ''] of markdown.matchAll(/^```(\w+)(?: (.+))?\n([^]*?)^```$/gm)) {
    if (label === undefined || label === 'curl') blocks.push({ language, code });
    else if (label === way) blocks[blocks.length - 1] = { language, code, way };
  }
  return blocks;
}

/** The first block in a language. */
export function blockOf(markdown: string, language: string): string {
  const block = blocksOf(markdown).find((each) => each.language === language);
  if (!block) throw new Error(`There is no block of ${language}.`);
  return block.code;
}
