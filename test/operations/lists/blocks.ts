import pg from 'pg';

/** One message to PostgreSQL. */
type Sent = { readonly text: string; readonly values?: unknown[] };

/** The sent messages of each connection, in order. */
type Conversations = ReadonlyMap<pg.Client, readonly Sent[]>;

/** Records the messages of this process to PostgreSQL until it is stopped. */
export function recordSent(): { readonly sent: Conversations; stop(): void } {
  const send = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
  const sent = new Map<pg.Client, Sent[]>();
  pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
    const [first] = args as [string | Sent];
    const own = sent.get(this) ?? [];
    own.push(typeof first === 'string' ? { text: first } : first);
    sent.set(this, own);
    return send.apply(this, args);
  } as typeof pg.Client.prototype.query;
  return {
    sent,
    stop() {
      pg.Client.prototype.query = send as typeof pg.Client.prototype.query;
    },
  };
}

/** Repeats the messages, transaction by transaction, and returns the blocks that each reading statement used. */
export async function replay(
  client: pg.Client,
  sent: Conversations,
): Promise<{ readonly sql: string; readonly blocks: number }[]> {
  const read: { sql: string; blocks: number }[] = [];
  for (const { text, values } of [...sent.values()].flat()) {
    if (!/^\s*(select|with)\b/.test(text) || text.includes('set_config')) {
      await client.query(text, values);
      continue;
    }
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      values,
    );
    const { Plan } = rows[0]!['QUERY PLAN'][0];
    read.push({ sql: text, blocks: Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']! });
  }
  return read;
}
