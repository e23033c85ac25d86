import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { SilentConnection } from './failures.ts';
import { type Activity, askServer, type ServerActivity } from '../postgres/server-activity.ts';
import type { Pulse, Session } from './session.ts';

/** What is watched of a connection. */
export type Watched = Pick<Session, 'pulse' | 'lost' | 'abandon'>;

/** Watches the connections that are in use. */
export type SilenceWatch = {
  /** Whether some connection has owed the answer to its first statement for too long to be sure that all of them work. */
  readonly isUneasy: boolean;
  /** Ends with the pool. */
  stop(): void;
};

export type SilenceWatchOptions = {
  readonly url: string;
  /** The sessions that somebody uses now. */
  readonly used: () => Iterable<Watched>;
  /** Milliseconds without a byte after which a connection that owes an answer is asked about. */
  readonly silenceMs: number;
  /** Milliseconds to wait for the answer to a begin: a pooler may hold it until it has a connection to lend. */
  readonly beginMs: number;
  /** Told when connections were silent, and have been destroyed. */
  readonly onSilent: (count: number) => void;
  readonly logger?: Logger | undefined;
};

/** Looks within `silenceMs`. */
const LOOKS = 6;

/** Looks without a byte after which a connection is asked about together with others that are silent for longer. */
const SUSPECT = 2;

/** Looks between two questions to the server, while something is slow. */
const BETWEEN_QUESTIONS = 4;

/** Looks beyond the limit of a statement until its connection is given up without asking. */
const MARGIN = 4;

/** Looks for which one silence makes the others be believed sooner: they come together. */
const ALARMED = 20;

/** What is remembered of a session from one look to the next. */
type Seen = {
  pulse: Pulse;
  /** Looks since a byte has come, and since an answer has. Not milliseconds: while the process is frozen nothing is looked at. */
  quiet: number;
  unanswered: number;
};

/**
 * Finds connections whose packets get lost without a word, as when the machine of a primary is lost: they look like slow
 * ones. So a fresh connection asks the server that answers now. If that does not know the transaction, or waits for us
 * while we wait for it, the connection is silent. What is only slow is busy there and is left alone. A connection whose begin is not
 * answered is silent when a fresh one has been answered meanwhile. Where nobody can be asked, a statement's own limit and
 * a moment end the wait.
 */
export function watchSilence(options: SilenceWatchOptions): SilenceWatch {
  const { url, used, silenceMs, beginMs, onSilent, logger } = options;
  const lookMs = silenceMs / LOOKS;
  const seen = new WeakMap<Watched, Seen>();
  let asking = false;
  let untilNextQuestion = 0;
  let alarmed = 0;

  function look(): void {
    alarmed = Math.max(0, alarmed - 1);
    untilNextQuestion = Math.max(0, untilNextQuestion - 1);
    const owing = [...used()].filter((session) => update(session));
    const late = owing.filter((session) => quietOf(session).unanswered * lookMs >= limitOf(session.pulse));
    giveUp(late, 'it has not answered within the limit of a statement');
    const enough = alarmed > 0 ? SUSPECT : LOOKS;
    if (asking || untilNextQuestion > 0 || !owing.some((session) => quietOf(session).quiet >= enough)) return;
    asking = true;
    // Silent ones may wait for each other's locks on a server that lives: each that is ended lets the next be seen.
    untilNextQuestion = alarmed > 0 ? 0 : BETWEEN_QUESTIONS;
    void ask(owing.filter((session) => !session.lost && quietOf(session).quiet >= SUSPECT))
      .catch((error: unknown) => logger?.warn({ err: error }, 'a slow database connection could not be asked about'))
      .finally(() => (asking = false));
  }

  /** Whether the session owes an answer. */
  function update(session: Watched): boolean {
    const { pulse } = session;
    const before = seen.get(session);
    const owes = pulse.sent > pulse.answered && !session.lost;
    const hasAnswered = before === undefined || before.pulse.answered !== pulse.answered;
    const hasCome = hasAnswered || before.pulse.received !== pulse.received;
    seen.set(session, {
      pulse,
      quiet: owes && !hasCome ? before.quiet + 1 : 0,
      unanswered: owes && !hasAnswered ? before.unanswered + 1 : 0,
    });
    return owes;
  }

  function quietOf(session: Watched): Seen {
    return seen.get(session)!;
  }

  function limitOf({ transaction, statementTimeoutMs }: Pulse): number {
    if (transaction === undefined || statementTimeoutMs === undefined) return beginMs;
    return statementTimeoutMs + MARGIN * lookMs;
  }

  async function ask(asked: readonly Watched[]): Promise<void> {
    const before = new Map(asked.map((session) => [session, quietOf(session)]));
    const inTransaction = asked.filter((session) => before.get(session)!.pulse.transaction !== undefined);
    const transactions = inTransaction.map((session) => before.get(session)!.pulse.transaction!);
    const server = await askServer({ url, timeoutMs: silenceMs });
    try {
      const activities = await server.of(transactions);
      // What the server had just answered is on its way.
      await sleep(lookMs);
      const activityOf = (session: Watched): Activity | undefined => activities?.[inTransaction.indexOf(session)];
      const found = asked.filter((session) => {
        const { pulse } = before.get(session)!;
        const now = session.pulse;
        if (session.lost || now.answered !== pulse.answered || now.received !== pulse.received) return false;
        return pulse.transaction === undefined || isSilent(activityOf(session));
      });
      const isCertain = (session: Watched) =>
        before.get(session)!.pulse.transaction !== undefined || before.get(session)!.quiet >= LOOKS;
      // A begin may be late by itself, but not while others are silent.
      const silent = alarmed > 0 || found.some(isCertain) ? found : [];
      await endOnServer(
        server,
        silent.map((session) => before.get(session)!.pulse),
      );
      giveUp(silent, 'the server that answers does not work for it');
    } finally {
      server.close();
    }
  }

  /** Otherwise their locks would be held until the server notices, which may be long after they were given up here. */
  async function endOnServer(server: ServerActivity, silent: readonly Pulse[]): Promise<void> {
    const transactions = silent.flatMap(({ transaction }) => transaction ?? []);
    // The begin may have been heard, and what was sent with it, but no commit, which is sent after the answer.
    const unanswered = silent.flatMap(({ transaction, process }) => (transaction === undefined && process) || []);
    try {
      if (transactions.length > 0) await server.end(transactions);
      if (unanswered.length > 0) await server.end(unanswered, { evenBusy: true });
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

  // What it watches keeps the process alive as long as there is something to watch.
  const timer = setInterval(look, lookMs).unref();
  return {
    get isUneasy() {
      return [...used()].some((session) => {
        const before = seen.get(session);
        if (before === undefined || before.quiet < SUSPECT || session.lost) return false;
        return session.pulse.transaction === undefined && session.pulse.answered === before.pulse.answered;
      });
    },
    stop: () => clearInterval(timer),
  };
}

function isSilent(activity: Activity | undefined): boolean {
  return activity === 'waiting' || activity === 'unknown';
}
