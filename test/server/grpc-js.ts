import {
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  create,
  toBinary,
} from '@bufbuild/protobuf';
import { Client, credentials, Metadata } from '@grpc/grpc-js';

/**
 * Calls one operation with grpc-js, the client of most Node programs. Rejects with grpc-js' own `ServiceError`.
 * @param address host and port
 * @param ca the trusted certificate in PEM; plaintext if left out
 */
export async function callByGrpcJs<M extends DescMethodUnary>(
  address: string,
  method: M,
  request: MessageInitShape<M['input']>,
  token?: string,
  ca?: Buffer,
): Promise<MessageShape<M['output']>> {
  const client = new Client(address, ca ? credentials.createSsl(ca) : credentials.createInsecure());
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
  try {
    return await new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        `/${method.parent.typeName}/${method.name}`,
        (message: MessageShape<M['input']>) => Buffer.from(toBinary<M['input']>(method.input, message)),
        (bytes: Buffer) => fromBinary<M['output']>(method.output, bytes),
        create<M['input']>(method.input, request),
        metadata,
        (error, value) => (error === null && value !== undefined ? resolve(value) : reject(error)),
      );
    });
  } finally {
    client.close();
  }
}
