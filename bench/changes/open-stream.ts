import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens the stream of an account. It is read and thrown away. */
export async function openStream(port: number, id: string, apiKey: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(`GET /v1/accounts/${id}/stream HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${apiKey}\r\n\r\n`);
  const [first] = (await once(socket, 'data')) as [Buffer];
  if (!first.toString().startsWith('HTTP/1.1 200')) throw new Error(first.toString());
  socket.resume();
  return socket;
}
