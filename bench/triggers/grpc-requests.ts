import { create, toBinary } from '@bufbuild/protobuf';
import { EmitTriggerRequestSchema } from '../../gen/laurel/v1/trigger_service_pb.ts';
import type { GrpcCall } from '../support/grpc-callers.ts';
import type { RequestSource } from '../support/load-protocol.ts';
import { eventSource, type TriggerRequestOptions } from './event-of.ts';

/** One event in each unary call. */
const grpcRequests: RequestSource<TriggerRequestOptions, GrpcCall> = ({ apiKey }) => {
  const next = eventSource();
  const headers = {
    ':path': '/laurel.v1.TriggerService/EmitTrigger',
    te: 'trailers',
    'content-type': 'application/grpc',
    authorization: `Bearer ${apiKey}`,
  };
  return () => ({
    headers,
    message: toBinary(EmitTriggerRequestSchema, create(EmitTriggerRequestSchema, { trigger: next() })),
  });
};

export default grpcRequests;
