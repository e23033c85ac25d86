import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { type ESTree, parseAst } from 'vite';

/** Calls with a sentence for the caller as plain text, and the index of that argument. */
const SENTENCE_OF: Readonly<Record<string, number>> = {
  CsvFault: 0,
  DomainError: 1,
  TooManyRequests: 1,
  InvalidFilter: 0,
  badRequest: 0,
  unauthenticated: 0,
};

/**
 * The English form of every sentence that the source may answer an operator with: each sentence`` and each plain text of a DomainError.
 * The sentences of `src/gateway` are left out: they are for REST, which answers in text only.
 */
export async function sentenceForms(): Promise<ReadonlySet<string>> {
  const templates = new Set<string>();
  for await (const file of glob('src/**/*.ts', {
    exclude: ['src/console/**', 'src/gateway/**', 'src/commands/**', 'src/server/rpc/**'],
  })) {
    visit(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }), (node) => {
      const found = templateOf(node);
      if (found !== undefined) templates.add(found);
    });
  }
  return templates;
}

function templateOf(node: ESTree.Node): string | undefined {
  if (node.type === 'TaggedTemplateExpression') {
    return node.tag.type === 'Identifier' && node.tag.name === 'sentence' ? formOf(node.quasi) : undefined;
  }
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined;
  const index = node.callee.type === 'Identifier' ? SENTENCE_OF[node.callee.name] : undefined;
  const sentence = index === undefined ? undefined : node.arguments[index];
  if (sentence?.type === 'Literal' && typeof sentence.value === 'string') return sentence.value;
  return sentence?.type === 'TemplateLiteral' ? formOf(sentence) : undefined;
}

function formOf({ quasis }: ESTree.TemplateLiteral): string {
  const [first = '', ...rest] = quasis.map(({ value }) => value.cooked ?? '');
  return rest.reduce((text, next, index) => `${text}{${index}}${next}`, first);
}

function visit(value: unknown, look: (node: ESTree.Node) => void): void {
  if (Array.isArray(value)) {
    for (const each of value) visit(each, look);
  } else if (typeof value === 'object' && value !== null) {
    if ('type' in value) look(value as ESTree.Node);
    for (const each of Object.values(value)) visit(each, look);
  }
}
