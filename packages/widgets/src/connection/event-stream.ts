/** A server-sent event. A heartbeat has an id alone. */
export type ServerEvent = { readonly id?: string; readonly data?: string };

/**
 * Reads server-sent events, as Laurel writes them: `id` and one line of `data`. `EventSource` would send no token.
 * @param onBytes called for everything that arrives, so that a silent connection is noticed
 */
export async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerEvent, void, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield eventIn(block);
  }
}

function eventIn(block: string): ServerEvent {
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
  });
  return Object.fromEntries(fields.filter(([name]) => name === 'id' || name === 'data'));
}
