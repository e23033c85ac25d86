import pg from 'pg';

/** A statement that was written by hand and sent with parameters, by a file of `src`. */
export type Statement = {
  readonly text: string;
  /** Under which it was sent. */
  readonly role: 'laurel_app' | 'laurel_system';
  /** Below `src`. */
  readonly file: string;
  /** The place of the call, so that two of one file can be told apart; of the text that Node runs, not of the source. */
  readonly place: string;
};

/** Notes statements that this process sends. */
export type Recorder = {
  /** Distinct ones so far. */
  readonly statements: () => readonly Statement[];
  /** How transactions of a role were opened last, with their settings. */
  readonly begins: ReadonlyMap<Statement['role'], string>;
  stop(): void;
};

/** What the connections of the pool are sent: see `src/persistence/driver/statement-connection.ts`. */
type Sent = string | { readonly text: string; readonly types?: unknown };

/**
 * Notes what is sent between now and `stop`. What MikroORM sends is left out: it has its values in the text, so that no plan of
 * it outlives its statement.
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
    const [, file = 'unknown', place = ''] = CALLER.exec(frame ?? '') ?? [];
    noted.set(`${role} ${file}:${place} ${text}`, { text, role, file, place });
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

/** A frame of a module, and not of what carries its statements. */
const CALLER = /\/src\/(?!persistence\/(?:connections|driver)\/)([\w/.-]+\.ts)[^:]*:(\d+:\d+)/;
