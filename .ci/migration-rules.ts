import type { Declared, Step } from '../src/persistence/migrating/step.ts';
import { largeTables } from './large-tables.ts';

/** A migration: the declarations of its file, and the statements of its `up`. */
export type Written = Declared & { readonly up: readonly string[] };

/**
 * The reasons why calls would fail or wait during a migration, each with the alternative; empty if they would not.
 * @param unreleased tables that earlier migrations of the same release make: hosts of the last release do not use them
 */
export function refusalsOf(
  { compatibility, steps = [], locks, up }: Written,
  unreleased: ReadonlySet<string> = new Set(),
): string[] {
  if (!compatibility) {
    return [
      'say whether hosts of the release before may serve beside it: `export const compatibility: Compatibility = { rolling: true };`, or false with the reason.',
    ];
  }
  if (locks !== undefined) {
    return compatibility.rolling ? ['`locks` is only for a migration before which the older release stops.'] : [];
  }
  const transactions = [...steps.filter(isSql).map(({ sql }) => [sql]), up].map((texts) => texts.flatMap(statements));
  const made = tablesMadeBy(transactions.flat()).union(unreleased);
  const large = largeTables.filter((table) => !made.has(table));
  return [
    ...(compatibility.rolling && compatibility.note === undefined ? otherWords(transactions.flat()) : []),
    ...transactions.flat().flatMap((sql) => refusedIn(sql, large, made)),
    ...transactions.flatMap((each) => lockedTogether(each, large)),
    ...steps.flatMap((step) => ('slices' in step && !/\blimit \d/.test(step.slices) ? [UNBOUNDED] : [])),
  ];
}

/** The tables that statements make. */
export function tablesMadeBy(sqls: readonly string[]): Set<string> {
  return new Set(
    sqls.flatMap(statements).flatMap((sql) => /^create table (?:if not exists )?(\w+)/.exec(sql)?.[1] ?? []),
  );
}

const UNBOUNDED =
  '`slices` repeats a statement that changes a bounded number of rows: take them from a subquery with a limit.';

function isSql(step: Step): step is { sql: string } {
  return 'sql' in step;
}

/** Columns of words, such as types, that get new values: the older release reads them without knowing them. */
function otherWords(sqls: readonly string[]): string[] {
  const named = (form: RegExp) => new Set(sqls.flatMap((sql) => [...sql.matchAll(form)].map(([, name]) => name)));
  const dropped = named(/\bdrop constraint (?:if exists )?(\w+)/g);
  const added = named(/\badd constraint (\w+) check \([^()]*\bin \(/g);
  return [...dropped.intersection(added)].map(
    (name) =>
      `${name} takes other words, which the older release does not know: say in \`note\` what not to do before its last host has stopped.`,
  );
}

/** The statements in one form: lower case, without quotes around names, with single spaces. Statements in a `do` block are included. */
function statements(sql: string): string[] {
  const plain = sql.replace(/--.*$/gm, '').replaceAll('"', '').replace(/\s+/g, ' ').toLowerCase();
  return plain
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

type Rule = { readonly form: RegExp; readonly instead: string };

/** Statements that lock a table against reads or writes; `@` represents a large table. */
const ON_LARGE: readonly Rule[] = [
  {
    form: /\bcreate (unique )?index (?!concurrently).*\bon (only )?@\b/,
    instead: 'build it in a step: { index, on }.',
  },
  {
    form: /\balter table (only )?@\b(?!.*\bnot valid\b).*\badd (constraint\b|check\b|foreign key\b|unique\b|primary key\b)/,
    instead:
      'add it `not valid` in a step, and { validate, of } it in the next; a unique key is an { index, on } first.',
  },
  {
    form: /\balter table (only )?@\b.*\bset not null\b/,
    instead: 'validate a check `is not null` instead; it keeps the same promise.',
  },
  {
    form: /\balter table (only )?@\b.*\balter (column )?\w+ (set data )?type\b/,
    instead: 'add a column of the new type, and copy in slices.',
  },
  {
    form: /\balter table (only )?@\b.*\badd (column )?(if not exists )?[^,]*\bdefault (?!now\()\w+\(/,
    instead: 'add it without the default that differs by row, and fill it in slices.',
  },
  {
    form: /\balter table (only )?@\b.*\badd (column )?(if not exists )?(?!constraint\b|check\b|foreign\b|unique\b|primary\b)\w+ (?!.*\bdefault\b).*\bnot null\b/,
    instead: 'the older release writes rows without it: let it be null, or give it a constant default.',
  },
  { form: /\block (table )?(\w+, )*@\b/, instead: 'say what must not happen meanwhile, and find a way by rows.' },
  { form: /\bupdate (only )?@\b/, instead: 'change the rows in a step: { slices }.' },
  { form: /\bdelete from (only )?@\b/, instead: 'delete the rows in a step: { slices }.' },
  {
    form: /\b(truncate|cluster|vacuum full|reindex)\b.*\b@\b/,
    instead: 'it locks every reader out; { reindex } is a step.',
  },
  {
    form: /\bcreate trigger .*\bon @\b/,
    instead: 'it waits for every writer, and then runs with each: find a way without.',
  },
];

/** Statements that remove what the older release uses, for any existing table. */
const MISSED: readonly Rule[] = [
  { form: /^alter table .*\brename\b/, instead: 'the older release reads the old name: add beside it.' },
  {
    form: /^alter (index|view|sequence|function) .*\brename\b/,
    instead: 'the older release knows the old name: make another.',
  },
  {
    form: /^alter table .*\bdrop (column )?(?!constraint\b|not null\b|default\b|expression\b|identity\b)\w+/,
    instead: 'the older release reads it: drop it one release after the last that does.',
  },
  {
    form: /^drop (table|view|function)\b/,
    instead: 'the older release reads it: drop it one release after the last that does.',
  },
];

function refusedIn(sql: string, large: readonly string[], made: ReadonlySet<string>): string[] {
  const subject = /^alter table (?:if exists )?(?:only )?(\w+)/.exec(sql)?.[1];
  const missed = subject !== undefined && made.has(subject) ? [] : MISSED.filter(({ form }) => form.test(sql));
  const locking = ON_LARGE.filter(({ form }) =>
    new RegExp(form.source.replaceAll('@', `(?:${large.join('|')})`)).test(sql),
  );
  return [...missed, ...locking].map(({ instead }) => `\`${sql.slice(0, 100)}\`: ${instead}`);
}

/**
 * Tables that one transaction locks together. Calls lock rows of several tables in another order, so a migration that locks one whole table
 * and then another can deadlock with them.
 */
function lockedTogether(transaction: readonly string[], large: readonly string[]): string[] {
  const locked = new Set(
    transaction.flatMap((sql) => {
      // The lock for settings of a table or a column does not conflict with calls.
      const [, table = ''] =
        /^alter table (?:only )?(\w+) (?!set \(|alter column \w+ set \(|validate\b)/.exec(sql) ?? [];
      return large.includes(table) ? [table] : [];
    }),
  );
  return locked.size < 2
    ? []
    : [
        `${[...locked].join(' and ')} are locked in one transaction, which deadlocks with calls: give each a step of its own.`,
      ];
}
