// A bare HTTP/1.1 client over `net`: fetch, undici and even node:http cost more per request than the measured service, on the same cores.
import { createConnection, type Socket } from 'node:net';
import type { Caller, CallersOptions, OpenCallers } from './callers.ts';

/** One connection for each caller. A request is the whole text, head and body. */
const openHttp1Callers: OpenCallers<string> = (options) =>
  Promise.all(Array.from({ length: options.count }, async () => callerOn(await connect(options), options)));

export default openHttp1Callers;

function connect({ host, port }: CallersOptions<string>): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host, port, noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

function callerOn(socket: Socket, { next, onError }: CallersOptions<string>): Caller {
  let received = '';
  let onAnswer: (failure?: string) => void = () => {};
  let closing = false;
  socket.on('data', (chunk: Buffer) => {
    received = received === '' ? chunk.toString('latin1') : received + chunk.toString('latin1');
    if (!isWhole(received)) return;
    const answer = received;
    received = '';
    onAnswer(answer.startsWith('200', 9) ? undefined : answer);
  });
  socket.on('error', onError);
  socket.on('close', () => {
    if (!closing) onError(new Error('The server closed a connection.'));
  });
  return {
    call(done) {
      onAnswer = done;
      socket.write(next(), 'latin1');
    },
    close() {
      closing = true;
      socket.destroy();
    },
  };
}

/** Whether an answer is complete. Every answer here has its length; one without it waits for the timeout of the parent. */
function isWhole(received: string): boolean {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return false;
  const length = /content-length: (\d+)/i.exec(received)?.[1];
  return length !== undefined && received.length >= headEnd + 4 + Number(length);
}
