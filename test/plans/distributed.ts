import type { Statement } from './statements.ts';

/**
 * Forms of statements that a distributed database refuses, or sends over its coordinator, with their replacements. The check reads the
 * text, because the tests have no Citus; `npm run test:distributed` proves that accepted statements run there. docs/decisions/0083.
 */
const SHAPES: readonly (readonly [(statement: Statement, text: string) => boolean, string])[] = [
  [(_, text) => /\bset_config\(/.test(text), 'set_config() holds on one node only: use `uow.set`'],
  [
    ({ role }, text) => role === 'laurel_system' && /\bwith recursive\b/.test(text),
    'a recursive query over several clients is refused: ask for each client, where `uow.isDistributed`',
  ],
  [
    ({ role }, text) => role === 'laurel_system' && /\bunnest\([^)]*\)[\s\S]*\blateral\b/.test(text),
    'keys of several clients are on several nodes: send one statement for each, where `uow.isDistributed`',
  ],
  [
    (_, text) => CHANGES.test(text) && !VALUES.test(text) && /\bclock_timestamp\(\)/.test(text),
    'clock_timestamp() where rows are changed is refused: use `ARRIVED`',
  ],
  [
    (_, text) => /\bupdate\b/.test(text) && /\b\w+_(at|until) [+-] [^,]*\binterval\b/.test(text),
    'a column and an interval are refused in an update: use `after`',
  ],
  [
    (_, text) => MOMENT_IN_CHOICE.test(setClauseOf(text)),
    'a moment within CASE or COALESCE is refused in an update: multiply the interval by null, or use LEAST',
  ],
  [
    (_, text) => /^\s*(update|delete from)\b[^]*\bctid\b/.test(text) && MOMENT_IN_CHOICE.test(text),
    'a moment within CASE or COALESCE is refused in the source of a change by ctid: compare it in WHERE',
  ],
  [
    (_, text) => /\b(update|delete from)\b[^]*\bcase (?!when)/.test(text),
    'CASE of a value is garbled on its way to a node: compare in each WHEN',
  ],
  [
    (_, text) => /\breturning\b[^]*\b(now|clock_timestamp|statement_timestamp)\(\)/.test(text),
    'a moment in RETURNING is refused: ask for it in a statement behind',
  ],
  [
    (_, text) =>
      INSERTS_SELECTED.test(text) &&
      !/\bfrom (\(select id as client_id from )?client\b/.test(text) &&
      !OF_TABLE.test(text),
    'values that are inserted by SELECT are copied to their node, which row-level security refuses: begin with `CLIENT_ROW`',
  ],
  [
    (_, text) => /\bon conflict\b[^]*\bdo update\b[^]*\bwhere\b[^]*(\binterval\b|_timestamp\(\)|\bnow\(\))/.test(text),
    'a calculated moment in the WHERE of ON CONFLICT is refused: calculate it in code, and send it',
  ],
  [
    (_, text) => /^\s*with\b[^]*\)\s*insert into/.test(text),
    'an insert behind WITH goes over the coordinator, or is refused: send the statements one behind the other',
  ],
  [
    (_, text) =>
      /\binsert into (?!\w+ as )[^]*\bjoin\b[^]*\breturning (id|client_id)\b(?![^]*on conflict)/.test(text) &&
      !/on conflict/.test(text),
    'what RETURNING gives is ambiguous behind a join: `insert into ... as`',
  ],
];

const MOMENT_IN_CHOICE = /(\bcase\b((?!\bend\b)[^])*|\bcoalesce\(([^()]|\([^()]*\))*)\b(now|statement_timestamp)\(\)/;
const CHANGES = /\b(insert into|update|delete from)\b/;
const VALUES = /^\s*insert into[^]*\bvalues \(/;
const INSERTS_SELECTED = /\binsert into\b[^]*\bselect\b/;

/** The inserted values come from a table by its client, which also determines the node. */
const OF_TABLE = /\bselect c\.client_id\b/;

/** The assignments of an update, up to the source of its rows. */
function setClauseOf(text: string): string {
  return /\bupdate\b[^]*?\bset\b([^]*?)(\bfrom\b|\bwhere\b|$)/.exec(text)?.[1] ?? '';
}

/** The hours of all clients increase in one statement. It goes over the coordinator, but only once a minute. */
const OVER_THE_COORDINATOR = /insert into statistic_hour/;

/** Forms for a single PostgreSQL server; their callers have another for several nodes. By the file, and the beginning of their text. */
const HAS_ANOTHER_FORM: readonly (readonly [string, RegExp])[] = [
  ['triggers/inbox/inbox.queries.ts', /^with recursive waiting/],
  ['persistence/watches/backlog.ts', /^with recursive oldest/],
  ['persistence/database.ts', /^with recursive oldest/],
  ['clients/account-tokens/issuers.queries.ts', /^select c\.\* from unnest/],
  ['clients/credentials/authenticate.queries.ts', /^(select c\.\* from unnest|update credential c set last_used_at)/],
];

/** The faults of statements, in the words of a failing test. */
export function refusedShapes(statements: readonly Statement[]): string[] {
  return statements.flatMap((statement) => {
    const { file, text } = statement;
    const hasAnother = HAS_ANOTHER_FORM.some(([where, form]) => where === file && form.test(text));
    if (hasAnother || OVER_THE_COORDINATOR.test(text)) return [];
    return SHAPES.filter(([isRefused]) => isRefused(statement, text)).map(
      ([, words]) => `${file}: ${words}\n    ${text}`,
    );
  });
}
