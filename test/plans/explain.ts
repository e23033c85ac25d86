import type pg from 'pg';
import { faultsOf, type Index, type PlanNode } from './judge.ts';
import type { Statement } from './statements.ts';

/** A statement whose plan is bad, and why, in words. */
export type Verdict = Pick<Statement, 'file' | 'text'> & { readonly faults: readonly string[] };

/**
 * Judges the plans that PostgreSQL keeps for statements now: those that suit no values in particular.
 * @param begins how the service opens the transactions of each role, so that its settings are those of the judge
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

/** The plan of a prepared statement: EXPLAIN of PostgreSQL 15 gives it of no other. */
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

/** Verdicts in the words of a test that fails. */
export function inWords(verdicts: readonly Verdict[]): string {
  return verdicts.map(({ file, text, faults }) => `${file}: ${faults.join('; ')}\n    ${text}`).join('\n\n');
}
