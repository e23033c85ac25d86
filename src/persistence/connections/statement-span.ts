import { currentSpan, type Span, startSpan } from '../../kernel/tracing.ts';

/** The actions of a statement and their tables. Of several, the last one names the statement. */
const ACTION = /\b(insert into|update|delete from|from)\s+"?([a-z_]+)"?/gi;

const CHANGES = new Set(['insert into', 'update', 'delete from']);

/** The summaries of statements by their text. The service has few texts; those of MikroORM contain values and vary. */
const summaries = new Map<string, string>();
const REMEMBERED = 2_000;

/**
 * The span of a statement that is sent now; undefined if the call is not traced. Its name is a summary, because a text of MikroORM
 * may contain values.
 */
export function statementSpan(sql: string): Span | undefined {
  const parent = currentSpan();
  if (parent === undefined) return undefined;
  const summary = statementSummary(sql);
  return startSpan({
    name: summary,
    kind: 'CLIENT',
    parent: parent.context,
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': summary },
  });
}

/**
 * The name of a statement in a trace, such as `insert earned_reward`: a verb and a table, without any value.
 */
function statementSummary(sql: string): string {
  const known = summaries.get(sql);
  if (known !== undefined) return known;
  const summary = summarise(sql);
  if (summaries.size < REMEMBERED && sql.length < 10_000) summaries.set(sql, summary);
  return summary;
}

function summarise(sql: string): string {
  const actions = [...sql.matchAll(ACTION)].map(([, action = '', table = '']) => ({
    action: action.toLowerCase(),
    table,
  }));
  // `select ... for update of o` changes nothing, and `of` is not a table.
  const change = actions.findLast(({ action, table }) => CHANGES.has(action) && table !== 'of' && table !== 'skip');
  if (change !== undefined) return `${change.action.split(' ')[0]} ${change.table}`;
  const [verb = ''] = /[a-z]+/i.exec(sql) ?? [];
  const table = actions.find(({ table }) => table !== 'unnest')?.table;
  const isRead = verb === 'with' || verb === 'select';
  return [isRead ? 'select' : verb.toLowerCase(), table].filter(Boolean).join(' ');
}
