import http from 'node:http';

/** The least work of a JSON service on Node: read a body, parse it, write JSON. Logs only its port. */
const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()));
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
});

server.listen(0, '127.0.0.1', () => console.log(JSON.stringify(server.address())));
