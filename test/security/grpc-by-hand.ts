import { connect as connectHttp2 } from 'node:http2';
import type { TestService } from '../support/service.ts';

/**
 * Sends one event over gRPC, byte by byte, unlike any client; returns the status in headers or trailers.
 * @param announced the claimed length of the message in bytes
 */
export function emitByHand(
  service: TestService,
  payload: Uint8Array,
  encoding?: string,
  announced = payload.length,
): Promise<string> {
  const session = connectHttp2(service.baseUrl);
  const stream = session.request({
    ':method': 'POST',
    ':path': '/laurel.v1.TriggerService/EmitTrigger',
    'content-type': 'application/grpc+proto',
    authorization: `Bearer ${service.apiKey}`,
    te: 'trailers',
    ...(encoding !== undefined && { 'grpc-encoding': encoding }),
  });
  const head = Buffer.alloc(5);
  head.writeUInt8(encoding === undefined ? 0 : 1, 0);
  head.writeUInt32BE(announced, 1);
  return new Promise((resolve, reject) => {
    const onHeaders = (headers: object) => {
      const status = (headers as Record<string, string>)['grpc-status'];
      if (status !== undefined) resolve(status);
    };
    stream.on('response', onHeaders).on('trailers', onHeaders).on('error', reject).resume();
    stream.once('close', () => session.close());
    stream.end(Buffer.concat([head, payload]));
  });
}
