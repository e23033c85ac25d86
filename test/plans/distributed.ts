import type { Statement } from './statements.ts';

/**
 * What a distributed database refuses, or has to send over its coordinator, by what is to be written instead. It is read off the text,
 * because no Citus takes part in the tests: `npm run test:distributed` shows that what passes here runs there. docs/decisions/0083.
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

/** What is inserted is read from a table by its client, which tells the node as well. */
const OF_TABLE = /\bselect c\.client_id\b/;

/** What an update assigns, up to where its rows come from. */
function setClauseOf(text: string): string {
  return /\bupdate\b[^]*?\bset\b([^]*?)(\bfrom\b|\bwhere\b|$)/.exec(text)?.[1] ?? '';
}

/** The hours of all clients are added to at once, which takes the way over the coordinator and is done by the minute. */
const OVER_THE_COORDINATOR = /insert into statistic_hour/;

/** Forms for one PostgreSQL, whose callers have another for several: by the file, and how their text begins. */
const HAS_ANOTHER_FORM: readonly (readonly [string, RegExp])[] = [
  ['triggers/inbox/inbox.queries.ts', /^with recursive waiting/],
  ['persistence/watches/backlog.ts', /^with recursive oldest/],
  ['persistence/database.ts', /^with recursive oldest/],
  ['clients/credentials/authenticate.queries.ts', /^(select c\.\* from unnest|update credential c set last_used_at)/],
];

/** What is wrong with statements, in the words of a test that fails. */
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
