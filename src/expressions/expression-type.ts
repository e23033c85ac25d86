import type { Decimal } from './decimal.ts';

/**
 * The type of a value in an expression, in the words of its messages. A timestamp is an instant in milliseconds since 1970, a duration a
 * number of milliseconds.
 */
export type ExpressionType = 'STRING' | 'NUMBER' | 'BOOLEAN' | 'TIMESTAMP' | 'DURATION' | 'STRING_LIST';

/** The value of each type. */
export type ValueOf = {
  readonly STRING: string;
  readonly NUMBER: Decimal;
  readonly BOOLEAN: boolean;
  readonly TIMESTAMP: number;
  readonly DURATION: number;
  readonly STRING_LIST: readonly string[];
};

/** A value of an expression. */
export type Value = ValueOf[ExpressionType];

/** A name that expressions may use, for example `event.category`. */
export type Variable<Context> = {
  readonly type: ExpressionType;
  /** The value for an event or an account; undefined if it is missing. */
  readonly read: (context: Context) => Value | undefined;
  /**
   * The value in SQL, NULL if it is missing: `numeric`, `text`, `boolean`, `text[]`, and `numeric` milliseconds for timestamps and
   * durations. Absent where expressions are only applied to events.
   */
  readonly sql?: string | undefined;
  /** The most entries of a list, for the cost of `exists` and `all`; they refuse a list without it. */
  readonly entriesMax?: number | undefined;
};

/** The names that expressions of one kind may use, and what the calendar functions need. */
export type Environment<Context> = {
  readonly variables: ReadonlyMap<string, Variable<Context>>;
  /** The IANA time zone of the account. */
  readonly timeZone: { readonly read: (context: Context) => string; readonly sql?: string | undefined };
};
