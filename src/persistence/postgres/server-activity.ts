import { connectClient, cut } from '../driver/driver.ts';
import type { ServerProcess } from '../connections/server-process.ts';

/**
 * The state of a server process: it works, it waits for our next statement, or it is unknown or not in that
 * transaction.
 */
export type Activity = 'busy' | 'waiting' | 'unknown';

/** A connection made to ask one question, because those that exist may be the ones that do not answer. */
export type ServerActivity = {
  /**
   * The states of the processes, in their order.
   * @returns undefined where the server does not keep track of what its processes do
   */
  of(processes: readonly ServerProcess[]): Promise<readonly Activity[] | undefined>;
  /**
   * Ends those of the processes that do not work, so that the rows they hold are free; with `includeBusy` those that work as
   * well.
   */
  end(processes: readonly ServerProcess[], options?: { readonly includeBusy?: boolean }): Promise<void>;
  /** At once, and it cannot fail. */
  close(): void;
};

/** Where to ask, and for how long. */
export type ServerActivityOptions = {
  readonly url: string;
  /** Milliseconds for the connection and for each answer. */
  readonly timeoutMs: number;
};

/**
 * A process that waits for its client is idle in the transaction, or still sends an answer that nobody takes. A number alone
 * would not do: after a fail-over another server answers, on which some other process may have it.
 */
const STATE = `
  select case when a.pid is null then 'unknown'
              when a.state like 'idle%' or a.wait_event_type = 'Client' then 'waiting'
              else 'busy' end as activity,
         a.pid, current_setting('track_activities') as tracked
    from unnest($1::int[], $2::timestamptz[]) with ordinality w (pid, since, place)
    left join pg_stat_activity a on a.pid = w.pid and w.since in (a.xact_start, a.backend_start)`;

/**
 * Connects to the server that answers at `url` now.
 * @throws Error when it does not within the time, as every function here but `close`
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
        `${STATE} order by w.place`,
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
