import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import https from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AccountService } from '../../gen/laurel/v1/account_service_pb.ts';
import { channelOf } from '../../src/server/http/streams/channel.ts';
import { createOnePort, DEFAULT_TIMEOUTS } from '../../src/server/http/one-port.ts';
import type { TlsCertificate } from '../../src/server/http/tls-files.ts';
import { startServiceProcess } from '../faults/support/service-process.ts';
import { canCertify, certify, type TestCertificate } from '../support/certificates.ts';
import { testDatabase } from '../support/database.ts';
import { callByGrpcJs } from './grpc-js.ts';
import { startTestServer, type TestServer } from './support.ts';

const BODY = '{"externalId":"ada"}';
const POST = { method: 'POST', path: '/accounts/resolve' };
const HEADERS = { authorization: 'Bearer integrator', 'content-type': 'application/json' };

let folder: string;
let certificate: TestCertificate;
const servers: TestServer[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-tls-'));
  if (canCertify) certificate = await certify(folder);
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close({ atOnce: true })));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function start(options: Parameters<typeof startTestServer>[1] = {}, resolveAccount = resolved) {
  const server = await startTestServer({ resolveAccount }, { tls: certificate, tlsCheckMs: 50, ...options });
  servers.push(server);
  return server;
}

async function resolved({ externalId }: { externalId: string }) {
  return { account: { externalId } };
}

/** One request over HTTP/1.1, and the certificate of the server. */
async function byHttps(port: number, ca: Buffer, agent?: https.Agent) {
  const request = https.request({ host: 'localhost', port, ca, agent, ...POST, headers: HEADERS });
  const [response] = await once(request.end(BODY), 'response');
  const socket = response.socket as TLSSocket;
  return { status: response.statusCode as number, body: await text(response), socket };
}

/** One request on a session of HTTP/2. */
async function byHttp2(session: ClientHttp2Session) {
  const stream = session.request({ ':method': POST.method, ':path': POST.path, ...HEADERS });
  stream.end(BODY);
  const [headers] = await once(stream, 'response');
  return { status: headers[':status'] as number, body: await text(stream) };
}

const shown = (socket: TLSSocket) => socket.getPeerX509Certificate()?.fingerprint256;
const fingerprint = (ca: Buffer) => new X509Certificate(ca).fingerprint256;

describe.skipIf(!canCertify)('a port with TLS (skipped without openssl, which makes the certificates)', () => {
  test("speaks HTTP/1.1, HTTP/2 and gRPC to Node's own clients and to grpc-js", async () => {
    const { port } = await start();
    const { ca } = certificate;
    expect(await byHttps(port, ca)).toMatchObject({ status: 200, body: expect.stringContaining('"ada"') });
    const session = connectHttp2(`https://localhost:${port}`, { ca });
    expect(await byHttp2(session)).toMatchObject({ status: 200, body: expect.stringContaining('"ada"') });
    expect(session.alpnProtocol).toBe('h2');
    session.close();
    const { resolveAccount } = AccountService.method;
    const answer = await callByGrpcJs(`localhost:${port}`, resolveAccount, { externalId: 'ada' }, 'integrator', ca);
    expect(answer.account?.externalId).toBe('ada');
  });

  test('speaks HTTP/1.1 to who agrees on no protocol, and refuses who knows neither', async () => {
    const { port } = await start();
    const silent = connectTls({ host: 'localhost', port, ca: certificate.ca });
    silent.write('GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    expect(await text(silent)).toMatch(/^HTTP\/1\.1 200/);
    const other = connectTls({ host: 'localhost', port, ca: certificate.ca, ALPNProtocols: ['spdy/3'] });
    const [error] = await once(other, 'error');
    expect((error as NodeJS.ErrnoException).code).toBe('ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL');
  });

  test('shows a new certificate to who connects, and drops no connection that is open', async () => {
    const renewed = await certify(folder, 'renewed');
    const server = await start({ tls: renewed });
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 });
    const session = connectHttp2(`https://localhost:${server.port}`, { ca: renewed.ca });
    const before = await byHttps(server.port, renewed.ca, agent);
    expect((await byHttp2(session)).status).toBe(200);
    expect(shown(before.socket)).toBe(fingerprint(renewed.ca));

    const { ca } = await certify(folder, 'renewed');
    await expect.poll(() => server.log.map(({ msg }) => msg)).toContain('the TLS certificate was replaced');

    const fresh = await byHttps(server.port, ca);
    expect(shown(fresh.socket)).toBe(fingerprint(ca));
    expect(fingerprint(ca)).not.toBe(fingerprint(renewed.ca));
    const after = await byHttps(server.port, renewed.ca, agent);
    expect(after).toMatchObject({ status: 200, socket: before.socket });
    expect((await byHttp2(session)).status).toBe(200);
    agent.destroy();
    session.close();
  });

  test('keeps its certificate while the files do not belong together, logs it once, and takes them when they do', async () => {
    const torn = await certify(folder, 'torn');
    const server = await start({ tls: torn });
    const countWarnings = () => server.log.filter(({ msg }) => /stays in use/.test(msg)).length;
    const other = await certify(folder, 'other');
    await writeFile(torn.certFile, other.ca);
    await expect.poll(countWarnings).toBe(1);
    await rm(torn.keyFile);
    await expect.poll(countWarnings).toBe(2);
    expect(shown((await byHttps(server.port, torn.ca)).socket)).toBe(fingerprint(torn.ca));
    await rename(other.keyFile, torn.keyFile);
    await expect.poll(() => server.log.map(({ msg }) => msg)).toContain('the TLS certificate was replaced');
    expect(countWarnings()).toBe(2);
    expect((await byHttps(server.port, other.ca)).status).toBe(200);
  });

  test('speaks TLS 1.2 and 1.3 with suites that keep the past secret, and no older ones, also with a new certificate', async () => {
    const createTtlCache = await certify(folder, 'short-lived');
    const server = await start({ tls: createTtlCache });
    const agreed = (options: ConnectionOptions) =>
      new Promise<string>((resolve) => {
        const socket = connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
        socket.once('secureConnect', () => {
          resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
          socket.destroy();
        });
        socket.once('error', () => resolve('refused'));
      });
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const tried = async () => {
      expect(await agreed({})).toBe('TLSv1.3 TLS_AES_256_GCM_SHA384');
      expect(await agreed({ maxVersion: 'TLSv1.2' })).toMatch(/^TLSv1\.2 ECDHE-\w+-AES256-GCM-SHA384$/);
      expect(await agreed(old)).toBe('refused');
      for (const ciphers of ['ECDHE-ECDSA-AES256-SHA384', 'ECDHE-ECDSA-AES128-SHA']) {
        expect(await agreed({ maxVersion: 'TLSv1.2', ciphers }), ciphers).toBe('refused');
      }
    };
    await tried();
    await certify(folder, 'short-lived');
    await expect.poll(() => server.log.map(({ msg }) => msg)).toContain('the TLS certificate was replaced');
    await tried();
  });

  test('survives callers who speak no TLS, and closes their connections', async () => {
    const server = await start();
    for (const words of ['GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '\0\0\0']) {
      const socket = connectPlain(server.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.end(words);
      await once(socket, 'close');
    }
    expect((await byHttps(server.port, certificate.ca)).status).toBe(200);
    expect(server.log).toContainEqual(
      expect.objectContaining({ msg: 'a TLS handshake failed', reason: 'ERR_SSL_HTTP_REQUEST' }),
    );
  });

  test('waits for a handshake no longer than for headers', async () => {
    const { port } = await start({ timeouts: { ...DEFAULT_TIMEOUTS, headers: 300 } });
    const socket = connectPlain(port, '127.0.0.1');
    const begun = performance.now();
    await once(socket.resume(), 'close');
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  test('finishes what runs before it ends, and waits for nobody who is idle or still in the handshake', async () => {
    const running = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    let calls = 0;
    const server = await start({}, async ({ externalId }) => {
      calls += 1;
      if (calls === 2) running.resolve();
      await released.promise;
      return { account: { externalId } };
    });
    const inHandshake = connectPlain(server.port, '127.0.0.1');
    await once(inHandshake, 'connect');
    const idle = connectTls({ host: 'localhost', port: server.port, ca: certificate.ca });
    await once(idle, 'secureConnect');
    idle.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
    await once(idle, 'data');
    const session = connectHttp2(`https://localhost:${server.port}`, { ca: certificate.ca });
    const goAway = once(session, 'goaway');
    const answers = Promise.all([byHttps(server.port, certificate.ca), byHttp2(session)]);
    await running.promise;
    const begun = performance.now();
    const closed = server.close();
    await Promise.all([goAway, once(inHandshake, 'close'), once(idle.resume(), 'close')]);
    released.resolve();
    for (const { status } of await answers) expect(status).toBe(200);
    await closed;
    // A handshake would have ten seconds.
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  test('people who come by it came by TLS: their cookies are Secure, whatever host and headers they send', async () => {
    const { cert, key } = { cert: certificate.ca, key: await readFile(certificate.keyFile) };
    const unchanging: TlsCertificate = {
      pair: { cert, key },
      onReplaced() {},
      expiresAt: () => 0,
      refused() {},
      stop() {},
    };
    const answerChannel = (request: Parameters<typeof channelOf>[0], response: { end(text: string): unknown }) =>
      void response.end(channelOf(request));
    const onePort = createOnePort(answerChannel, () => {}, DEFAULT_TIMEOUTS, unchanging);
    const port = await onePort.listen(0, '127.0.0.1');
    const headers = { host: 'localhost', 'x-forwarded-proto': 'http' };
    const request = https.get({ host: 'localhost', port, ca: certificate.ca, headers, agent: false });
    const [response] = await once(request, 'response');
    expect(await text(response)).toBe('https');
    const session = connectHttp2(`https://localhost:${port}`, { ca: certificate.ca });
    expect(await text(session.request({ ':path': '/' }))).toBe('https');
    session.close();
    await onePort.close(1_000);
  });

  test('does not start with files that are missing, no PEM, or of two pairs', async () => {
    const other = await certify(folder, 'stranger');
    const nonsense = join(folder, 'nonsense.pem');
    await writeFile(nonsense, 'not a certificate');
    const { certFile, keyFile } = certificate;
    const missing = join(folder, 'missing.pem');
    await expect(start({ tls: { certFile: missing, keyFile } })).rejects.toThrow(`LAUREL_TLS_CERT_FILE: ${missing}`);
    await expect(start({ tls: { certFile, keyFile: missing } })).rejects.toThrow(`LAUREL_TLS_KEY_FILE: ${missing}`);
    for (const tls of [
      { certFile: nonsense, keyFile },
      { certFile, keyFile: nonsense },
      { certFile, keyFile: other.keyFile },
    ]) {
      await expect(start({ tls })).rejects.toThrow(
        `${tls.certFile} and ${tls.keyFile} are no certificate with its key`,
      );
    }
  });

  test('its metrics tell when the certificate expires', async () => {
    const { port } = await start();
    const request = https.get({ host: 'localhost', port, ca: certificate.ca, path: '/metrics' });
    const [response] = await once(request, 'response');
    const expiry = /^laurel_tls_certificate_expiry_seconds (\S+)$/m.exec(await text(response))?.[1];
    expect(Number(expiry) * 1_000).toBe(new X509Certificate(certificate.ca).validToDate.getTime());
  });

  test(
    'is what several processes serve together, and the demo has an address with https',
    { timeout: 90_000 },
    async () => {
      const database = await testDatabase();
      const env = {
        LAUREL_TLS_CERT_FILE: certificate.certFile,
        LAUREL_TLS_KEY_FILE: certificate.keyFile,
        LAUREL_DATA: folder,
        LAUREL_DEMO: 'true',
        LAUREL_PROCESSES: '2',
      };
      const service = await startServiceProcess(database.url, { env });
      const announced = () => service.log.find((line) => line.includes('the demo is ready'));
      await expect.poll(announced, { timeout: 60_000 }).toContain(`https://127.0.0.1:${service.port}/console`);
      for (let call = 0; call < 4; call += 1) {
        const [response] = await once(
          https.get({ host: 'localhost', port: service.port, ca: certificate.ca, path: '/readyz', agent: false }),
          'response',
        );
        expect(response.statusCode).toBe(200);
        response.resume();
      }
      expect(await service.end('SIGTERM')).toBe(0);
      await database.drop();
    },
  );
});
