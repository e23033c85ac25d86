import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { SilentConnection } from './failures.ts';
import { type Activity, askServer, type ServerActivity } from '../postgres/server-activity.ts';
import type { ConnectionState, Session } from './session.ts';

/** The part of a session that is watched. */
export type Watched = Pick<Session, 'state' | 'lost' | 'abandon'>;

/** The watch of the connections in use. */
export type SilenceWatch = {
  /** Whether a connection has waited for the answer to its first statement so long that it may be silent. */
  readonly hasSuspects: boolean;
  /** Ends the watch, together with the pool. */
  stop(): void;
};

export type SilenceWatchOptions = {
  readonly url: string;
  /** The sessions in use now. */
  readonly used: () => Iterable<Watched>;
  /** Milliseconds without a byte after which the server is asked about a connection that owes an answer. */
  readonly silenceMs: number;
  /** Milliseconds to wait for the answer to a begin: a pooler may hold it until it has a connection to lend. */
  readonly beginMs: number;
  /** Called with the number of silent connections after they were destroyed. */
  readonly onSilent: (count: number) => void;
  readonly logger?: Logger | undefined;
};

/** The number of checks within `silenceMs`. */
const CHECKS = 6;

/** Checks without a byte after which a connection is checked together with others that are silent for longer. */
const SUSPECT = 2;

/** Checks between two questions to the server, while something is slow. */
const BETWEEN_QUESTIONS = 4;

/** Checks after the limit of a statement until its connection is destroyed without a question. */
const MARGIN = 4;

/** Checks after a silent connection in which others are detected sooner, because several usually become silent together. */
const ALARMED = 20;

/** The state of a session at a check, kept until the next one. */
type Seen = {
  state: ConnectionState;
  /** Checks since the last byte, and since the last answer. Milliseconds would also count the time of a frozen process. */
  quiet: number;
  unanswered: number;
};

/**
 * Finds connections whose packets are lost without an error, for example with the machine of a primary. They look like slow ones,
 * so a new connection asks the server. If the server does not know the transaction, or waits for the service while the service waits
 * for it, the connection is silent. A slow statement is busy on the server, and its connection is kept. A connection without an answer
 * to its begin is silent if a new one got an answer meanwhile. If no server answers, the limit of the statement plus a margin ends
 * the wait.
 */
export function watchSilence(options: SilenceWatchOptions): SilenceWatch {
  const { url, used, silenceMs, beginMs, onSilent, logger } = options;
  const checkMs = silenceMs / CHECKS;
  const seen = new WeakMap<Watched, Seen>();
  let asking = false;
  let untilNextQuestion = 0;
  let alarmed = 0;

  function check(): void {
    alarmed = Math.max(0, alarmed - 1);
    untilNextQuestion = Math.max(0, untilNextQuestion - 1);
    const owing = [...used()].filter((session) => update(session));
    const late = owing.filter((session) => quietOf(session).unanswered * checkMs >= limitOf(session.state));
    giveUp(late, 'it has not answered within the limit of a statement');
    const enough = alarmed > 0 ? SUSPECT : CHECKS;
    if (asking || untilNextQuestion > 0 || !owing.some((session) => quietOf(session).quiet >= enough)) return;
    asking = true;
    // On a running server silent connections may wait for each other's locks: the end of one makes the next one visible.
    untilNextQuestion = alarmed > 0 ? 0 : BETWEEN_QUESTIONS;
    void ask(owing.filter((session) => !session.lost && quietOf(session).quiet >= SUSPECT))
      .catch((error: unknown) => logger?.warn({ err: error }, 'a slow database connection could not be asked about'))
      .finally(() => (asking = false));
  }

  /** Whether the session owes an answer. */
  function update(session: Watched): boolean {
    const { state } = session;
    const before = seen.get(session);
    const owes = state.sent > state.answered && !session.lost;
    const hasAnswered = before === undefined || before.state.answered !== state.answered;
    const hasCome = hasAnswered || before.state.received !== state.received;
    seen.set(session, {
      state,
      quiet: owes && !hasCome ? before.quiet + 1 : 0,
      unanswered: owes && !hasAnswered ? before.unanswered + 1 : 0,
    });
    return owes;
  }

  function quietOf(session: Watched): Seen {
    return seen.get(session)!;
  }

  function limitOf({ transaction, statementTimeoutMs }: ConnectionState): number {
    if (transaction === undefined || statementTimeoutMs === undefined) return beginMs;
    return statementTimeoutMs + MARGIN * checkMs;
  }

  async function ask(asked: readonly Watched[]): Promise<void> {
    const before = new Map(asked.map((session) => [session, quietOf(session)]));
    const inTransaction = asked.filter((session) => before.get(session)!.state.transaction !== undefined);
    const transactions = inTransaction.map((session) => before.get(session)!.state.transaction!);
    const server = await askServer({ url, timeoutMs: silenceMs });
    try {
      const activities = await server.of(transactions);
      // Answers that the server has just sent may still arrive.
      await sleep(checkMs);
      const activityOf = (session: Watched): Activity | undefined => activities?.[inTransaction.indexOf(session)];
      const found = asked.filter((session) => {
        const { state } = before.get(session)!;
        const now = session.state;
        if (session.lost || now.answered !== state.answered || now.received !== state.received) return false;
        return state.transaction === undefined || isSilent(activityOf(session));
      });
      const isCertain = (session: Watched) =>
        before.get(session)!.state.transaction !== undefined || before.get(session)!.quiet >= CHECKS;
      // A late begin alone proves nothing, unless others are silent as well.
      const silent = alarmed > 0 || found.some(isCertain) ? found : [];
      await endOnServer(
        server,
        silent.map((session) => before.get(session)!.state),
      );
      giveUp(silent, 'the server that answers does not work for it');
    } finally {
      server.close();
    }
  }

  /** Otherwise the server would keep their locks until it notices the loss, possibly long after. */
  async function endOnServer(server: ServerActivity, silent: readonly ConnectionState[]): Promise<void> {
    const transactions = silent.flatMap(({ transaction }) => transaction ?? []);
    // The begin and the statements sent with it may have arrived, but no commit, which is sent after their answer.
    const unanswered = silent.flatMap(({ transaction, process }) => (transaction === undefined && process) || []);
    try {
      if (transactions.length > 0) await server.end(transactions);
      if (unanswered.length > 0) await server.end(unanswered, { includeBusy: true });
    } catch (error) {
      logger?.warn({ err: error }, 'transactions of silent connections could not be ended');
    }
  }

  function giveUp(sessions: readonly Watched[], reason: string): void {
    if (sessions.length === 0) return;
    for (const session of sessions) session.abandon(new SilentConnection(reason));
    alarmed = ALARMED;
    onSilent(sessions.length);
  }

  // The watched connections keep the process alive, so the timer need not.
  const timer = setInterval(check, checkMs).unref();
  return {
    get hasSuspects() {
      return [...used()].some((session) => {
        const before = seen.get(session);
        if (before === undefined || before.quiet < SUSPECT || session.lost) return false;
        return session.state.transaction === undefined && session.state.answered === before.state.answered;
      });
    },
    stop: () => clearInterval(timer),
  };
}

function isSilent(activity: Activity | undefined): boolean {
  return activity === 'waiting' || activity === 'unknown';
}
