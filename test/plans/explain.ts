import type pg from 'pg';
import { faultsOf, type Index, type PlanNode } from './judge.ts';
import type { Statement } from './statements.ts';

/** A statement with a bad plan, and the reason in words. */
export type Verdict = Pick<Statement, 'file' | 'text'> & { readonly faults: readonly string[] };

/**
 * Judges the generic plans that PostgreSQL now keeps for statements.
 * @param begins the openings of the service's transactions by role, so that the judge has the same settings
 */
export async function judge(
  client: pg.Client,
  statements: readonly Statement[],
  begins: ReadonlyMap<Statement['role'], string>,
  indexes: readonly Index[],
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const [role, own] of Map.groupBy(statements, (statement) => statement.role)) {
    await client.query(begins.get(role)!);
    await client.query('set local plan_cache_mode = force_generic_plan');
    const seen = new Set<string>();
    for (const { file, text } of own) {
      if (seen.has(text) || !isPlanned(text)) continue;
      seen.add(text);
      const faults = faultsOf(await planOf(client, text), indexes);
      if (faults.length > 0) verdicts.push({ file, text, faults });
    }
    await client.query('rollback');
  }
  return verdicts;
}

/** Savepoints have no plan. */
function isPlanned(text: string): boolean {
  return /^\s*(select|insert|update|delete|with)\b/.test(text);
}

/** The plan of a prepared statement, because EXPLAIN of PostgreSQL 15 has no option for a generic plan. */
export async function planOf(client: pg.Client, text: string): Promise<PlanNode> {
  const parameters = Math.max(0, ...text.matchAll(/\$(\d+)/g).map(([, number]) => Number(number)));
  const values = Array.from({ length: parameters }, () => 'null').join(', ');
  await client.query(`prepare judged as ${text}`);
  try {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (format json, costs off) execute judged${parameters > 0 ? `(${values})` : ''}`,
    );
    return rows[0]!['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('deallocate judged');
  }
}

/** Verdicts in the words of a failing test. */
export function inWords(verdicts: readonly Verdict[]): string {
  return verdicts.map(({ file, text, faults }) => `${file}: ${faults.join('; ')}\n    ${text}`).join('\n\n');
}
