import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A load balancer of connections, as most container platforms have one. */
export type Balancer = {
  readonly baseUrl: string;
  /** The targets of new connections at present. */
  readonly ready: () => readonly number[];
  /** The connections that it could not pass on, each with its time and reason. */
  readonly refusals: readonly string[];
  close(): Promise<void>;
};

/** Whether the host at this port is ready; a rejection means no. */
export type Probe = (port: number) => Promise<boolean>;

const byReadyz: Probe = async (port) =>
  (await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(PROBE_EVERY) })).status === 200;

/** Milliseconds between two probes of a host. */
const PROBE_EVERY = 1_000;

/**
 * Distributes new connections in turn to the ports of this machine whose `/readyz` answered 200 at the last probe, one per second. Open
 * connections stay, whatever the probes answer.
 * @param isReady a different probe than `/readyz`
 */
export async function startBalancer(ports: readonly number[], isReady: Probe = byReadyz): Promise<Balancer> {
  const sockets = new Set<Socket>();
  const ready = new Set(ports);
  const refusals: string[] = [];
  const refused = (reason: string) => void refusals.push(`${new Date().toISOString()} ${reason}`);
  let turn = 0;

  async function probe(port: number): Promise<void> {
    if (await isReady(port).catch(() => false)) ready.add(port);
    else ready.delete(port);
  }

  const server = createServer({ noDelay: true }, (client): void => {
    const open = ports.filter((port) => ready.has(port));
    const port = open[(turn += 1) % open.length];
    if (port === undefined) {
      refused('no host was ready');
      return void client.destroy();
    }
    const host = connect({ port, host: '127.0.0.1', noDelay: true });
    const notConnected = ({ message }: Error) => refused(`host ${port}, ready by its last probe: ${message}`);
    host.once('error', notConnected).once('connect', () => host.off('error', notConnected));
    for (const [socket, other] of [
      [client, host],
      [host, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroySoon();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const probing = setInterval(() => ports.forEach((port) => void probe(port)), PROBE_EVERY);

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => [...ready],
    refusals,
    async close() {
      clearInterval(probing);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
