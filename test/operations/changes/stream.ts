import type { RestAnswer } from '../../support/service.ts';

type Json = RestAnswer['body'];

/** One server-sent event. The data of a heartbeat is undefined. */
export type ServerEvent = { readonly id: string; readonly data: Json };

/** A stream of an account, as an app reads it. */
export type OpenStream = {
  readonly status: number;
  readonly contentType: string | null;
  readonly events: AsyncIterable<ServerEvent>;
  /** The body of a refusal. */
  problem(): Promise<Json>;
  close(): void;
};

/** Opens `GET /v1/accounts/{id}/stream`. */
export async function openStream(
  { baseUrl }: { readonly baseUrl: string },
  token: string,
  accountId: string,
  { after, query = '' }: { readonly after?: string | undefined; readonly query?: string } = {},
): Promise<OpenStream> {
  const gone = new AbortController();
  const headers = { authorization: `Bearer ${token}`, ...(after !== undefined && { 'last-event-id': after }) };
  const response = await fetch(`${baseUrl}/v1/accounts/${accountId}/stream${query}`, { headers, signal: gone.signal });
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    events: eventsIn(response, gone.signal),
    problem: () => response.json(),
    close: () => gone.abort(),
  };
}

async function* eventsIn({ body }: Response, gone: AbortSignal): AsyncIterable<ServerEvent> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const piece of body!) {
      text += decoder.decode(piece, { stream: true });
      const events = text.split('\n\n');
      text = events.pop()!;
      for (const event of events) yield eventOf(event);
    }
  } catch (error) {
    // A lost connection is an end like any other.
    if (!gone.aborted && !(error instanceof TypeError)) throw error;
  }
}

function eventOf(text: string): ServerEvent {
  const fields = new Map(
    text.split('\n').map((line) => line.split(': ', 1).concat(line.slice(line.indexOf(': ') + 2)) as [string, string]),
  );
  const data = fields.get('data');
  return { id: fields.get('id')!, data: data === undefined ? undefined : JSON.parse(data) };
}

/** The changes of a stream until there are `wanted`, or it ends. */
export async function changesOf(
  stream: OpenStream,
  wanted: number,
): Promise<{ readonly changes: Json[]; readonly lastId: string | undefined; readonly signs: number }> {
  const changes: Json[] = [];
  let lastId: string | undefined;
  let signs = 0;
  for await (const { id, data } of stream.events) {
    lastId = id;
    if (data === undefined) signs += 1;
    if (data?.change !== undefined) changes.push(data.change);
    if (changes.length >= wanted) break;
  }
  stream.close();
  return { changes, lastId, signs };
}

/** The amount of a change of points. */
export const amountOf = ({ pointsChanged }: Json): number | undefined => pointsChanged?.entry.amount;
