import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { isMetricsMessage, type Snapshot, type ToProcess } from './metrics-messages.ts';
import { createMetricsSum } from './metrics-sum.ts';

/** Milliseconds for the answer of one process; afterwards its previous metrics count. */
const ANSWER_TIMEOUT_MS = 1_000;

/** Milliseconds between two collections without a scrape. The counts of a killed process since the last one are lost. */
const REFRESH_MS = 10_000;

/** Collects the metrics of this process and of all its child processes. */
export type MetricsCollector = { stop(): void };

/** The state of a serving process. */
type Member = { last: Snapshot; isDead: boolean };

/**
 * Answers scraped processes of this cluster (`sharedMetrics`) with the combined metrics of all. The counts of a
 * dead process are kept, so that no counter falls while this process lives.
 */
export function collectMetrics(logger: Logger): MetricsCollector {
  const own = ownRegistry();
  const sum = createMetricsSum();
  const members = new Map<number, Member>();
  const questions = new Map<number, { readonly of: number; done(): void }>();
  let questionCount = 0;
  let collecting: Promise<string> | undefined;

  /** The `exit` event handles a process that dies meanwhile, so an error of sending is ignored. */
  const send = (worker: Worker, message: ToProcess) => void worker.send(message, undefined, () => {});

  function ask(id: number): Promise<void> {
    const worker = cluster.workers?.[id];
    if (!worker?.isConnected()) return Promise.resolve();
    const question = (questionCount += 1);
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        questions.delete(question);
        resolve();
      };
      const timer = setTimeout(done, ANSWER_TIMEOUT_MS);
      questions.set(question, { of: id, done });
      send(worker, { laurel: 'count', question });
    });
  }

  async function collect(): Promise<string> {
    const alive = [...members].filter(([, { isDead }]) => !isDead);
    await Promise.all(alive.map(([id]) => ask(id)));
    const ownCounts = await own.getMetricsAsJSON();
    // No await follows: a process must not be in both lists or in none.
    const [dead, living] = [true, false].map((wanted) =>
      [...members.values()].filter(({ isDead }) => isDead === wanted).map(({ last }) => last),
    ) as [Snapshot[], Snapshot[]];
    return sum.text([ownCounts, ...living], dead);
  }

  /** Simultaneous scrapes share one answer. */
  async function answer(worker: Worker, scrape: number): Promise<void> {
    collecting ??= collect().finally(() => (collecting = undefined));
    try {
      send(worker, { laurel: 'scraped', scrape, text: await collecting });
    } catch (error) {
      // The scraped process refuses the scrape after its timeout.
      logger.error({ err: error }, 'the metrics of all processes could not be put together');
    }
  }

  function onMessage(worker: Worker, message: unknown): void {
    if (!isMetricsMessage(message)) return;
    if (message.laurel === 'scrape') {
      void answer(worker, message.scrape);
    }
    if (message.laurel !== 'counted') return;
    members.set(worker.id, { last: message.snapshot, isDead: worker.isDead() });
    if (message.answers !== undefined) questions.get(message.answers)?.done();
  }

  /** The last messages of an ended process may still arrive until its channel has closed. */
  function onWorkerExit(worker: Worker): void {
    for (const { of, done } of questions.values()) if (of === worker.id) done();
    const member = members.get(worker.id);
    if (!member) return;
    member.isDead ||= worker.isDead();
    if (!member.isDead || worker.isConnected()) return;
    sum.keep(member.last);
    members.delete(worker.id);
  }

  cluster.on('message', onMessage).on('exit', onWorkerExit).on('disconnect', onWorkerExit);
  const timer = setInterval(() => void Promise.all([...members.keys()].map(ask)), REFRESH_MS);
  return {
    stop() {
      clearInterval(timer);
      cluster.off('message', onMessage).off('exit', onWorkerExit).off('disconnect', onWorkerExit);
    },
  };
}

/** The metrics of this process: its resources, and the deaths of the others. */
function ownRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const processes: Gauge = new Gauge({
    name: 'laurel_processes',
    help: 'Processes of this host that run and serve; less than LAUREL_PROCESSES while one is replaced.',
    registers,
    collect: () => processes.set(Object.values(cluster.workers ?? {}).filter((worker) => !worker?.isDead()).length),
  });
  const deaths = new Counter({
    name: 'laurel_process_deaths_total',
    help: 'Processes of this host that ended by themselves, or were killed, and were replaced.',
    registers,
  });
  cluster.on('exit', (worker) => {
    if (!worker.exitedAfterDisconnect) deaths.inc();
  });
  return registry;
}
