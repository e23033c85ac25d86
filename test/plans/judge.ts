/** A node of a plan in the JSON of EXPLAIN. */
export type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Alias?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly 'TID Cond'?: string;
  readonly Filter?: string;
  readonly 'Join Filter'?: string;
  readonly 'Hash Cond'?: string;
  readonly 'Merge Cond'?: string;
  readonly Plans?: readonly PlanNode[];
};

/** A btree index; only its plain columns are read. */
export type Index = {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  /** The condition of its rows, in PostgreSQL's own words; empty for all rows. */
  readonly predicate: readonly string[];
};

/** The scans of a client's table that make a plan bad, each in words; an empty list for a good plan. */
export function faultsOf(plan: PlanNode, indexes: readonly Index[]): string[] {
  const faults: string[] = [];
  visit(plan, []);
  return faults;

  function visit(node: PlanNode, joins: readonly string[]): void {
    const own = ['Join Filter', 'Hash Cond', 'Merge Cond'] as const;
    const below = [...joins, ...own.flatMap((kind) => node[kind] ?? [])];
    if (node['Relation Name'] !== undefined) {
      const fault = faultOf(node, below, indexes);
      if (fault !== undefined) faults.push(fault);
    }
    // The parts of a bitmap are judged with the scan that uses it.
    for (const child of node.Plans ?? []) if (!child['Node Type'].startsWith('Bitmap Index')) visit(child, below);
  }
}

function faultOf(node: PlanNode, joins: readonly string[], indexes: readonly Index[]): string | undefined {
  const table = node['Relation Name']!;
  const own = indexes.filter((index) => index.table === table);
  if (!own.some(({ columns }) => columns[0] === 'client_id')) return undefined;
  const alias = node.Alias ?? table;
  if (['ModifyTable', 'LockRows', 'Tid Scan'].includes(node['Node Type'])) return undefined;
  if (node['Node Type'] === 'Seq Scan') return `${alias}: the whole table is read`;
  const bitmaps = bitmapScansOf(node);
  const conditions = bitmaps.flatMap((scan) => scan['Index Cond'] ?? []);
  const used = new Set(bitmaps.map((scan) => scan['Index Name']));
  const pinned = pinnedIn(conditions, alias);
  const rest = [node.Filter, node['Recheck Cond']].flatMap((text) => text ?? []);
  const wanted = pinned.union(pinnedIn(rest, alias));
  const isOne = own.some(
    ({ name, unique, columns }) => used.has(name) && unique && columns.every((column) => pinned.has(column)),
  );
  if (isOne) return undefined;
  const best = longest(own, wanted, [...conditions, ...rest], alias);
  if (best.length > pinned.intersection(columnsOf(own)).size)
    return `${alias}: ${best.filter((column) => !pinned.has(column)).join(', ')} is filtered, not looked up (${describe(node, used)})`;
  // A join that compares rows one by one with those of another table, although an index could have found them.
  if ([...pinned].some((column) => column !== 'client_id')) return undefined;
  const joined = longest(own, wanted.union(pinnedIn(joins, alias)), [...conditions, ...rest], alias);
  if (joined.length > Math.max(1, best.length))
    return `${alias}: the whole client is read to join ${joined.slice(1).join(', ')} (${describe(node, used)})`;
  return undefined;
}

function bitmapScansOf(node: PlanNode): PlanNode[] {
  if (!node['Node Type'].startsWith('Bitmap')) return [node];
  const below = (node.Plans ?? []).flatMap(bitmapScansOf);
  return node['Node Type'] === 'Bitmap Index Scan' ? [node, ...below] : below;
}

function columnsOf(indexes: readonly Index[]): Set<string> {
  return new Set(indexes.flatMap(({ columns }) => columns));
}

/** The leading columns that the best index could look up. */
function longest(
  indexes: readonly Index[],
  wanted: ReadonlySet<string>,
  conditions: readonly string[],
  alias: string,
): readonly string[] {
  const stated = conditions.join(' and ').replaceAll(`${alias}.`, '');
  let best: readonly string[] = [];
  for (const { columns, predicate } of indexes) {
    const isUsable = predicate.every((part) => stated.includes(part) || isImplied(part, wanted));
    const missing = columns.findIndex((column) => !wanted.has(column));
    const found = columns.slice(0, missing === -1 ? columns.length : missing);
    if (isUsable && found.length > best.length) best = found;
  }
  return best.length > 1 ? best : best.filter((column) => column !== 'client_id');
}

/** A column with a value is not null. */
function isImplied(part: string, wanted: ReadonlySet<string>): boolean {
  const column = /^\((\w+) IS NOT NULL\)$/.exec(part)?.[1];
  return column !== undefined && wanted.has(column);
}

/** The expression for the client in the policy of every table. */
const ROW_SECURITY = `(NULLIF(current_setting('laurel.client_id'::text, true), ''::text))::uuid`;

/**
 * The columns of `alias` that must have one value, or one of several: by `=`, `= ANY`, or a range that is one key. The names include the
 * alias if a statement has several tables.
 */
function pinnedIn(conditions: readonly string[], alias: string): Set<string> {
  const pinned = new Set<string>();
  const from = new Map<string, Set<string>>();
  const column = String.raw`(?:${alias}\.)?(?<![\w.])(\w+)`;
  const own = (text: string) => !text.startsWith(`${alias}.`);
  const plain = conditions.map((each) => each.replaceAll(ROW_SECURITY, 'own'));
  // Alternatives of an `or` fix no column.
  for (const text of plain.flatMap(conjuncts).filter((part) => !part.includes(' OR '))) {
    for (const [, name, comparison, operand] of text.matchAll(
      new RegExp(String.raw`\((?:${alias}\.)?(\w+) (=|>=|<=) ((?:[^()]|\([^()]*(?:\([^()]*\))*[^()]*\))+)\)`, 'g'),
    )) {
      if (!own(operand!)) continue;
      if (comparison === '=') pinned.add(name!);
      else if (comparison === '>=') from.set(`${name} ${operand}`, new Set());
      else if (from.has(`${name} ${operand}`)) pinned.add(name!);
    }
    for (const [, name] of text.matchAll(new RegExp(String.raw` = ${column}\)`, 'g'))) pinned.add(name!);
  }
  return pinned;
}

/** `((a) AND (b))` as `(a)` and `(b)`; other texts unchanged. */
function conjuncts(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let begun = 1;
  for (let at = 1; at < text.length - 1; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth < 0) return [text];
    if (depth > 0 || !text.startsWith(' AND ', at)) continue;
    parts.push(text.slice(begun, at));
    begun = at + ' AND '.length;
  }
  return parts.length === 0 ? [text] : [...parts, text.slice(begun, -1)];
}

function describe(node: PlanNode, used: ReadonlySet<string | undefined>): string {
  const parts = [node['Index Cond'], node.Filter && `Filter ${node.Filter}`];
  return [node['Node Type'], ...used, ...parts].filter(Boolean).join(' ');
}
