import pg from 'pg';

/** A handwritten statement with parameters, sent by a file of `src`. */
export type Statement = {
  readonly text: string;
  /** The role of its transaction. */
  readonly role: 'laurel_app' | 'laurel_system';
  /** The file below `src`. */
  readonly file: string;
  /** The line of the call, which distinguishes two calls of one file; a line of the compiled text, not of the source. */
  readonly line: string;
};

/** Records the statements that this process sends. */
export type Recorder = {
  /** The distinct statements so far. */
  readonly statements: () => readonly Statement[];
  /** The last opening of a transaction of each role, with its settings. */
  readonly begins: ReadonlyMap<Statement['role'], string>;
  stop(): void;
};

/** The messages to the connections of the pool: see `src/persistence/driver/statement-connection.ts`. */
type Sent = string | { readonly text: string; readonly types?: unknown };

/**
 * Records the statements between now and `stop`. MikroORM's statements are omitted: they have their values in the text, so that no plan
 * survives its statement.
 */
export function recordStatements(): Recorder {
  const send = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
  const roles = new WeakMap<pg.Client, Statement['role']>();
  const noted = new Map<string, Statement>();
  const begins = new Map<Statement['role'], string>();
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 30;
  pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
    const sent = args[0] as Sent;
    const { text, types } = typeof sent === 'string' ? { text: sent } : sent;
    const role = /^begin.*'role', '(laurel_app|laurel_system)'/.exec(text)?.[1];
    if (role) {
      roles.set(this, role as Statement['role']);
      begins.set(role as Statement['role'], text.replace('read only', ''));
    }
    if (types !== undefined) note(text, roles.get(this)!);
    return send.apply(this, args);
  } as typeof pg.Client.prototype.query;

  function note(text: string, role: Statement['role']): void {
    const frame = new Error('where').stack!.split('\n').find((line) => CALLER.test(line));
    const [, file = 'unknown', line = ''] = CALLER.exec(frame ?? '') ?? [];
    noted.set(`${role} ${file}:${line} ${text}`, { text, role, file, line });
  }

  return {
    statements: () => [...noted.values()],
    begins,
    stop() {
      pg.Client.prototype.query = send as typeof pg.Client.prototype.query;
      Error.stackTraceLimit = limit;
    },
  };
}

/** A frame of a module, except of those that carry its statements. */
const CALLER = /\/src\/(?!persistence\/(?:connections|driver)\/)([\w/.-]+\.ts)[^:]*:(\d+:\d+)/;
