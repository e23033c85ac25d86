import { connectClient, cut } from '../driver/driver.ts';
import type { ServerProcess } from '../connections/server-process.ts';

/**
 * The state of a server process: it works, it waits for our next statement, or it is unknown or not in that
 * transaction.
 */
export type Activity = 'busy' | 'waiting' | 'unknown';

/** A new connection for queries about server processes, because existing ones may be silent. */
export type ServerActivity = {
  /**
   * The states of the processes, in their order.
   * @returns undefined if the server does not track the activities of its processes
   */
  of(processes: readonly ServerProcess[]): Promise<readonly Activity[] | undefined>;
  /** Ends the idle ones of the processes, which frees their locks; with `includeBusy` the busy ones as well. */
  end(processes: readonly ServerProcess[], options?: { readonly includeBusy?: boolean }): Promise<void>;
  /** Closes the connection at once. It cannot fail. */
  close(): void;
};

/** The address and the time limit. */
export type ServerActivityOptions = {
  readonly url: string;
  /** Milliseconds for the connection and for each answer. */
  readonly timeoutMs: number;
};

/**
 * A process that waits for its client is idle in the transaction, still sends an unread answer, or waits for the rest of a statement. The
 * coordinator of several nodes calls the wait for the answer of a node by the last name (`ClientRead`), so there the limit of the statement
 * decides about the third kind. A number alone is not enough: after a fail-over another server answers, where another process may have it.
 */
const STATE = `
  select case when a.pid is null then 'unknown'
              when a.state like 'idle%' then 'waiting'
              when a.wait_event = 'ClientRead' and exists (select from pg_extension where extname = 'citus') then 'busy'
              when a.wait_event_type = 'Client' then 'waiting'
              else 'busy' end as activity,
         a.pid, current_setting('track_activities') as tracked
    from unnest($1::int[], $2::timestamptz[]) with ordinality w (pid, since, ordinal)
    left join pg_stat_activity a on a.pid = w.pid and w.since in (a.xact_start, a.backend_start)`;

/**
 * Connects to the server that answers at `url` now.
 * @throws Error after the time limit, like every function here except `close`
 */
export async function askServer({ url, timeoutMs }: ServerActivityOptions): Promise<ServerActivity> {
  const client = await connectClient({ url, name: 'laurel watch', connectMs: timeoutMs, answerMs: timeoutMs });
  const valuesOf = (processes: readonly ServerProcess[]) => [
    processes.map(({ pid }) => pid),
    processes.map(({ since }) => since),
  ];
  return {
    async of(processes) {
      const { rows } = await client.query<{ activity: Activity; tracked: string }>(
        `${STATE} order by w.ordinal`,
        valuesOf(processes),
      );
      return rows.some(({ tracked }) => tracked !== 'on') ? undefined : rows.map(({ activity }) => activity);
    },
    async end(processes, { includeBusy = false } = {}) {
      await client.query(`select pg_terminate_backend(s.pid) from (${STATE}) s where s.activity = any($3::text[])`, [
        ...valuesOf(processes),
        includeBusy ? ['waiting', 'busy'] : ['waiting'],
      ]);
    },
    close: () => cut(client),
  };
}
