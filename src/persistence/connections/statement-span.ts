import { currentSpan, type Span, startSpan } from '../../kernel/tracing.ts';

/** What a statement does to its rows, and where; the last of these is what it is for, where there are several. */
const ACTION = /\b(insert into|update|delete from|from)\s+"?([a-z_]+)"?/gi;

const CHANGES = new Set(['insert into', 'update', 'delete from']);

/** Of statements of the service, which are few; those that MikroORM writes with values are not worth remembering. */
const summaries = new Map<string, string>();
const REMEMBERED = 2_000;

/**
 * The span of a statement that is sent now; undefined where nobody traces. It is named by what the statement does: its text
 * may hold values where MikroORM wrote it.
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
 * A few words that name a statement in a trace, such as `insert earned_reward`: a verb and a table, and nothing of what it
 * was sent with.
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
  // `select ... for update of o` changes nothing, and names no table.
  const change = actions.findLast(({ action, table }) => CHANGES.has(action) && table !== 'of' && table !== 'skip');
  if (change !== undefined) return `${change.action.split(' ')[0]} ${change.table}`;
  const [verb = ''] = /[a-z]+/i.exec(sql) ?? [];
  const table = actions.find(({ table }) => table !== 'unnest')?.table;
  const isRead = verb === 'with' || verb === 'select';
  return [isRead ? 'select' : verb.toLowerCase(), table].filter(Boolean).join(' ');
}
