// The rules of this project that no stock rule covers, as a plugin of oxlint. The stock `no-restricted-imports` compares the text of an
// import, but `../rewards/x.ts` means another module in every folder; these rules resolve it first.
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { enclosedBy, MAIN, refusal } from './layers.ts';
import { foreignTable } from './table-owners.ts';
import { hasTypeCondition, isTypeName } from './type-names.ts';

/** The used parts of ESLint's syntax tree and rule context. */
type Node = {
  type: string;
  value?: unknown;
  quasis?: { value: { raw: string } }[];
  source?: Node | null;
  arguments?: Node[];
  callee?: { name?: string };
  operator?: string;
  left?: Node;
  right?: Node;
  cases?: { test: Node | null; consequent: Node[] }[];
  elements?: (Node | null)[];
  object?: { name?: string };
  property?: { name?: string };
};
type Context = {
  filename: string;
  sourceCode: { getText(node: Node): string };
  report(problem: { node: Node; message: string }): void;
};
type Rule = { create(context: Context): Record<string, (node: Node) => void> };

const root = join(import.meta.dirname, '..');

/** The packages at run time. Development packages are absent in production. */
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

/** Code that runs only during code generation, never in production. */
const CODEGEN = join(root, 'src', 'gateway', 'codegen') + sep;

/** The client for TypeScript. */
const CLIENT = join(root, 'packages', 'typescript', 'src') + sep;

/** Imports lead to lower layers only: see `layers.ts`. */
const imports: Rule = {
  create(context) {
    const from = moduleOf(context.filename);
    const visit = ({ source }: Node): void => {
      if (!from || typeof source?.value !== 'string') return;
      const message = refusalOf(from, context.filename, source.value);
      if (message) context.report({ node: source, message });
    };
    return {
      ImportDeclaration: visit,
      ImportExpression: visit,
      ExportNamedDeclaration: visit,
      ExportAllDeclaration: visit,
      TSImportType: visit,
    };
  },
};

/** Code must not read a clock by `new Date()`, `Date.now()` or SQL's `now()`; code that depends on time takes it as an argument. */
const noClock: Rule = {
  create(context) {
    const message = 'This reads a clock: take `now` as an argument. Where another clock counts: docs/decisions/0019.';
    const sql = (node: Node, text: string) => {
      if (/\b(?:select|update|insert|where|from)\b/.test(text) && SQL_CLOCK.test(text))
        context.report({ node, message });
    };
    return {
      NewExpression(node) {
        if (node.callee?.name === 'Date' && node.arguments?.length === 0) context.report({ node, message });
      },
      MemberExpression(node) {
        if (node.object?.name === 'Date' && node.property?.name === 'now') context.report({ node, message });
      },
      Literal(node) {
        if (typeof node.value === 'string') sql(node, node.value);
      },
      TemplateLiteral: (node) => sql(node, (node.quasis ?? []).map(({ value }) => value.raw).join(' ? ')),
    };
  },
};

/** The time at which the transaction began. `clock_timestamp()` is allowed: leases on all hosts use it. */
const SQL_CLOCK = /\bnow\(\)|\bcurrent_(?:timestamp|date|time)\b/;

/** The name of a table is allowed in files of its owner only. */
const tables: Rule = {
  create(context) {
    const module = moduleOf(context.filename);
    if (module === undefined || module === 'gen' || module === 'console') return {};
    const visit = (node: Node, text: string): void => {
      const message = foreignTable(module, text);
      if (message) context.report({ node, message });
    };
    return {
      Literal(node) {
        if (typeof node.value === 'string') visit(node, node.value);
      },
      TemplateLiteral: (node) => visit(node, (node.quasis ?? []).map(({ value }) => value.raw).join(' ? ')),
    };
  },
};

const OF_TYPE =
  'This depends on a reward or mission type: ask its registry (reward-types.ts, type-deliveries.ts, mission-types.ts), or use a switch whose default ends in `never`.';

/**
 * Code that depends on a reward or mission type uses the type's registry, which the compiler compares with the proto. A comparison with one
 * type, in code or in SQL, or a list of types, does not fail to compile when a type is added, and ignores the new type. A switch whose
 * default ends in `never` does fail.
 */
const types: Rule = {
  create(context) {
    const module = moduleOf(context.filename);
    // A migration is a record of the past and names the types of its day.
    if (module === undefined || module === 'gen' || context.filename.startsWith(MIGRATIONS)) return {};
    const refuse = (node: Node): void => context.report({ node, message: OF_TYPE });
    return {
      BinaryExpression(node) {
        if (EQUALITY.has(node.operator ?? '') && (isType(node.left) || isType(node.right))) refuse(node);
      },
      SwitchStatement(node) {
        const cases = node.cases ?? [];
        if (!cases.some(({ test }) => isType(test))) return;
        const ending = cases.find(({ test }) => test === null)?.consequent.at(-1);
        if (!ending || !/\bnever\b/.test(context.sourceCode.getText(ending))) refuse(node);
      },
      ArrayExpression(node) {
        if ((node.elements ?? []).filter(isType).length > 1) refuse(node);
      },
      Literal(node) {
        if (typeof node.value === 'string' && hasTypeCondition(node.value)) refuse(node);
      },
      TemplateLiteral(node) {
        if (node.quasis?.some(({ value }) => hasTypeCondition(value.raw))) refuse(node);
      },
    };
  },
};

const EQUALITY: ReadonlySet<string> = new Set(['===', '!==', '==', '!=']);
const MIGRATIONS = join(root, 'src', 'persistence', 'migrations') + sep;

/** Whether an expression is one type: its name, or a value of the generated enum. */
function isType(node: Node | null | undefined): boolean {
  if (node?.type === 'Literal') return isTypeName(node.value);
  return /^(?:Reward|Mission)_Type$/.test(node?.object?.name ?? '') && isTypeName(node?.property?.name);
}

function refusalOf(from: string, file: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return packageRefusal(from, file, specifier);
  const target = resolve(dirname(file), specifier);
  const to = target.startsWith(CLIENT) ? 'packages' : moduleOf(target);
  if (to) return refusal(from, to, target) ?? enclosedBy(belowSrc(file), belowSrc(target));
  return target === join(root, 'package.json') ? undefined : 'The service may import only from src, gen and packages.';
}

function packageRefusal(from: string, file: string, specifier: string): string | undefined {
  if (from === 'engine' && specifier !== 'node:crypto') {
    return 'The engine is pure: it imports no package, and of Node only hashing. Take what is needed as an argument.';
  }
  const [scope = '', name] = specifier.split('/');
  const dependency = scope.startsWith('@') ? `${scope}/${name}` : scope;
  const enclosed = enclosedBy(belowSrc(file), dependency);
  if (enclosed) return enclosed;
  // Vite bundles the imports of the pages, so that these packages are not needed at run time.
  if (['console', 'docs'].includes(from) && devDependencies[dependency]) return undefined;
  if (isBuiltin(specifier) || dependencies[dependency] || file.startsWith(CODEGEN)) return undefined;
  return `${dependency} is not among the dependencies in package.json: install it with \`npm i --save-exact\`.`;
}

/** A path below `src`, with slashes on every system. */
function belowSrc(file: string): string {
  return relative(join(root, 'src'), file).replaceAll(sep, '/');
}

/** The folder of `src` that contains a file; `gen` for generated code; undefined elsewhere. */
function moduleOf(file: string): string | undefined {
  const [top, module, ...rest] = relative(root, file).split(sep);
  if (top === 'gen') return 'gen';
  if (top !== 'src') return undefined;
  return rest.length > 0 ? module : MAIN;
}

export default { meta: { name: 'laurel' }, rules: { imports, 'no-clock': noClock, tables, types } };
