import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fromJson, type JsonValue } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { BatchedEvent, IdType, Laurel } from '../../packages/typescript/src/index.ts';
import { Account_IdType } from '../../packages/typescript/src/gen/laurel/v1/account_pb.ts';
import { TriggerSchema } from '../../packages/typescript/src/gen/laurel/v1/trigger_pb.ts';
import { connect, type Connection } from './connect.ts';
import { print, visible } from './output.ts';
import { ReplayProgress } from './replay-progress.ts';
import { countOf, idTypeOf } from './values.ts';

/** The deadline of one call with its repeats, in milliseconds. A file is worth a longer wait than a request of a customer. */
const TIMEOUT_MS = 60_000;

/** An event with the number of its line. */
type Line = { readonly number: number; readonly event: BatchedEvent };

/**
 * `laurel events replay`: sends the events of a file in their order. Every event has an operation id, so that another run applies only those
 * that are missing. Exits 4 if lines were refused.
 */
export async function replayEvents({
  args: [file = ''],
  options,
}: {
  readonly args: readonly string[];
  readonly options: Connection & {
    readonly output?: string | undefined;
    readonly batch?: string | undefined;
    readonly 'from-line'?: string | undefined;
    readonly 'id-type'?: string | undefined;
  };
}): Promise<void> {
  const size = countOf('--batch', options.batch, 200, 1_000);
  const from = countOf('--from-line', options['from-line'], 1, Number.MAX_SAFE_INTEGER);
  const laurel = await connect(options, { ...idTypeOf(options), timeoutMs: TIMEOUT_MS, retriesMax: 20 });
  const progress = new ReplayProgress(file === '-' ? undefined : (await stat(file)).size);
  const interrupt = new AbortController();
  const onSignal = () => interrupt.abort();
  process.once('SIGINT', onSignal);
  try {
    for await (const lines of batchesOf(eventsIn(file, from, progress, interrupt.signal), size)) {
      await send(laurel, lines, progress);
      if (interrupt.signal.aborted) break;
    }
  } catch (error) {
    progress.end();
    if (progress.nextLine > 1) console.error(`To go on: --from-line ${progress.nextLine}, or the whole file again.`);
    throw error;
  } finally {
    process.off('SIGINT', onSignal);
  }
  progress.end();
  const { applied, refused } = progress;
  await print(
    options,
    { applied, refused, nextLine: progress.nextLine },
    () => `${applied} applied, ${refused} refused.`,
  );
  if (interrupt.signal.aborted) {
    console.error(`Interrupted. To go on: --from-line ${progress.nextLine}, or the whole file again.`);
    process.exitCode = 130;
  } else if (refused > 0) process.exitCode = 4;
}

async function send(laurel: Laurel, lines: readonly Line[], progress: ReplayProgress): Promise<void> {
  const outcomes = await laurel.emitBatch(lines.map(({ event }) => event));
  for (const [index, { error }] of outcomes.entries()) {
    const { number } = lines[index]!;
    // The same line has to be sent again, and those behind it must not overtake it.
    if (error?.retryable) {
      progress.nextLine = number;
      throw error;
    }
    if (error === undefined) progress.applied += 1;
    else progress.refuse(number, `${error.code}: ${visible(error.message)}`);
  }
  progress.nextLine = lines.at(-1)!.number + 1;
  progress.show();
}

/** The events of a file until the signal. Malformed lines are refused, and empty ones are left out. */
async function* eventsIn(
  file: string,
  from: number,
  progress: ReplayProgress,
  signal: AbortSignal,
): AsyncGenerator<Line> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  input.on('data', (chunk: Buffer | string) => progress.read(Buffer.byteLength(chunk)));
  const seen = new Map<string, number>();
  let number = 0;
  for await (const text of createInterface({ input, crlfDelay: Infinity, signal })) {
    number += 1;
    if (text.trim() === '') continue;
    // Also for lines that are left out, because the ids of later ones depend on them.
    const derived = derivedId(text, seen);
    if (number < from) continue;
    const event = eventOf(text, derived);
    if (typeof event === 'string') progress.refuse(number, event);
    else yield { number, event };
  }
}

/** The kinds of account ids by their numbers; none is that of the client. */
const IDS: Readonly<Record<number, IdType>> = {
  [Account_IdType.EXTERNAL]: 'EXTERNAL',
  [Account_IdType.INTERNAL]: 'INTERNAL',
};

/** The event of a line, or the reason why it has none. */
function eventOf(text: string, derived: string): BatchedEvent | string {
  try {
    const { programmaticCode, accountId, idType, operationId, metadata, occurredAt } = fromJson(
      TriggerSchema,
      JSON.parse(text) as JsonValue,
    );
    const { amount, ...attributes } = metadata ?? {};
    return {
      code: programmaticCode,
      account: accountId,
      idType: IDS[idType],
      operationId: operationId || derived,
      amount: amount as number | undefined,
      attributes,
      occurredAt: occurredAt && timestampDate(occurredAt),
    };
  } catch (error) {
    return `MALFORMED_LINE: ${visible((error as Error).message)}`;
  }
}

/**
 * The operation id of a line that has none: a digest of its text and of the number of equal lines before it. So equal lines count each, and
 * another run, also of a file that has grown, finds the same ids.
 */
function derivedId(text: string, seen: Map<string, number>): string {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 40);
  const before = seen.get(digest) ?? 0;
  seen.set(digest, before + 1);
  return `line-${digest}-${before}`;
}

async function* batchesOf(lines: AsyncIterable<Line>, size: number): AsyncGenerator<Line[]> {
  let batch: Line[] = [];
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
