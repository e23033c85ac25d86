// A receiver of webhooks in a separate process: it answers every request immediately, except those of hanging receivers. It records the
// arrival time of each whole request, and returns the records over the same port.
import http from 'node:http';
import type { Arrival } from './receivers.ts';

const arrivals: Arrival[] = [];
const held = new Set<http.ServerResponse>();
let hanging: readonly string[] = [];

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    const path = request.url ?? '';
    if (path.startsWith('/hook/')) receive(path.slice('/hook/'.length), request, response, body);
    else answerTo(path, response, body);
  });
});

function receive(receiver: string, request: http.IncomingMessage, response: http.ServerResponse, body: string): void {
  const accountId = /"accountId":"([^"]+)"/.exec(body)?.[1] ?? '';
  arrivals.push({ at: Date.now(), receiver, accountId, messageId: String(request.headers['webhook-id'] ?? '') });
  if (!hanging.includes(receiver)) return send(response, {});
  held.add(response);
  response.once('close', () => held.delete(response));
}

function answerTo(path: string, response: http.ServerResponse, body: string): void {
  if (path === '/count') return send(response, arrivals.length);
  if (path === '/take') return send(response, arrivals.splice(0));
  hanging = JSON.parse(body) as string[];
  for (const each of held) send(each, {});
  send(response, {});
}

function send(response: http.ServerResponse, answer: unknown): void {
  const text = JSON.stringify(answer);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())));
