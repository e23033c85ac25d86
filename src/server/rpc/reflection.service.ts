import type { MessageInitShape } from '@bufbuild/protobuf';
import { Code, type ServiceImpl } from '@connectrpc/connect';
import type {
  ServerReflection,
  ServerReflectionRequest,
  ServerReflectionResponseSchema,
} from '../../../gen/grpc/reflection/v1/reflection_pb.ts';
import type { ServerReflection as ServerReflectionAlpha } from '../../../gen/grpc/reflection/v1alpha/reflection_pb.ts';
import { createDescriptorIndex, type DescriptorIndex } from './descriptor-index.ts';
import { createTurnLimiter } from '../http/streams/turn-limiter.ts';
import type { Operations } from './operations.ts';

/** The maximum of questions answered in one turn of the event loop: an answer has up to some hundred kilobytes. */
const QUESTIONS_PER_TURN = 2;

type Question = ServerReflectionRequest['messageRequest'];
type Answer = NonNullable<MessageInitShape<typeof ServerReflectionResponseSchema>['messageResponse']>;

/** gRPC server reflection, so that grpcurl and `buf curl` need no proto files. */
export function reflectionServices(operations: Operations): {
  v1: ServiceImpl<typeof ServerReflection>;
  v1alpha: ServiceImpl<typeof ServerReflectionAlpha>;
} {
  let index: DescriptorIndex | undefined;
  const turns = createTurnLimiter<object>(QUESTIONS_PER_TURN);
  const v1: ServiceImpl<typeof ServerReflection> = {
    async *serverReflectionInfo(requests) {
      // Created at the first question, because services may be registered after this one.
      index ??= createDescriptorIndex(operations.services);
      for await (const originalRequest of requests) {
        await new Promise<void>((resolve) => turns.run(requests, resolve));
        const { host, messageRequest } = originalRequest;
        yield { validHost: host, originalRequest, messageResponse: answerTo(messageRequest, operations, index) };
      }
    },
  };
  // v1alpha has the same messages under another package name, and its schema converts plain objects to messages.
  return { v1, v1alpha: v1 as unknown as ServiceImpl<typeof ServerReflectionAlpha> };
}

function answerTo(question: Question, operations: Operations, index: DescriptorIndex): Answer {
  switch (question.case) {
    case 'listServices':
      return {
        case: 'listServicesResponse',
        value: { service: operations.services.map(({ typeName }) => ({ name: typeName })) },
      };
    case 'fileByFilename':
      return filesOf(index.byName(question.value), question.value, index);
    case 'fileContainingSymbol':
      return filesOf(index.bySymbol(question.value.replace(/^\./, '')), question.value, index);
    case 'fileContainingExtension': {
      const { containingType, extensionNumber } = question.value;
      return filesOf(index.byExtension(containingType, extensionNumber), `${containingType} ${extensionNumber}`, index);
    }
    case 'allExtensionNumbersOfType': {
      const extensionNumber = index.extensionNumbers(question.value);
      if (extensionNumber === undefined) return notFound(question.value);
      return { case: 'allExtensionNumbersResponse', value: { baseTypeName: question.value, extensionNumber } };
    }
    default:
      return refusal(Code.InvalidArgument, 'The request asks nothing. Set one of its fields.');
  }
}

function filesOf(file: ReturnType<DescriptorIndex['byName']>, asked: string, index: DescriptorIndex): Answer {
  if (file === undefined) return notFound(asked);
  return { case: 'fileDescriptorResponse', value: { fileDescriptorProto: index.closure(file) } };
}

function notFound(asked: string): Answer {
  return refusal(Code.NotFound, `This server knows no ${asked}.`);
}

/** Reflection answers an error as a message, so that the stream continues with the next request. */
function refusal(errorCode: Code, errorMessage: string): Answer {
  return { case: 'errorResponse', value: { errorCode, errorMessage } };
}
