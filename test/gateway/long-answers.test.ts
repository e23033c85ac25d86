import { create, type DescMessage, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import { expect, test } from 'vitest';
import { routes } from '../../gen/routes.ts';
import { nullable, omit_empty } from '../../gen/laurel/http/v1/options_pb.ts';
import { GetFeedResponseSchema } from '../../gen/laurel/v1/feed_service_pb.ts';
import { EmitTriggerBatchResponseSchema, EmitTriggerResponseSchema } from '../../gen/laurel/v1/trigger_service_pb.ts';
import { bindingOf } from '../../src/gateway/binding.ts';
import { longResponseWriterOf, responseWriterOf } from '../../src/gateway/response-writer.ts';
import { binarySteps, isLong } from '../../src/kernel/long-messages.ts';
import { atOnce } from '../../src/kernel/concurrency/time-slices.ts';

const options = { nullable, omitEmpty: omit_empty };

const mission = (index: number) => ({
  missionId: `mission ${index}`,
  name: index % 3 === 0 ? '' : `Ñame "${index}"`,
  progress: index / 10,
  campaignId: index % 2 === 0 ? 'campaign' : undefined,
  completedAt: index % 5 === 0 ? { seconds: BigInt(index), nanos: 0 } : undefined,
});
const missions = (count: number) => Array.from({ length: count }, (_, index) => mission(index));

const reward = { id: 'reward', redemption: { id: 'r', codes: [{ code: 'A' }] } };
const result = (count: number) => ({
  outcome: { case: 'result' as const, value: { progressedMissions: missions(count), rewards: [reward] } },
});
const error = { outcome: { case: 'error' as const, value: { statusCode: 404, code: 'NO', message: 'No.' } } };

const answers: [string, DescMessage, Message][] = [
  [
    'an event that moved 1,500 missions',
    EmitTriggerResponseSchema,
    create(EmitTriggerResponseSchema, { progressedMissions: missions(1_500), rewards: [reward as never] }),
  ],
  [
    'a batch of 1,000 events that moved nothing',
    EmitTriggerBatchResponseSchema,
    create(EmitTriggerBatchResponseSchema, { results: Array.from({ length: 1_000 }, () => result(0)) as never }),
  ],
  [
    'a batch of few events that moved much, and failures between',
    EmitTriggerBatchResponseSchema,
    create(EmitTriggerBatchResponseSchema, {
      results: [error, result(700), result(1), error, result(99), result(400)] as never,
    }),
  ],
  [
    'a feed of 1,200 items',
    GetFeedResponseSchema,
    create(GetFeedResponseSchema, { items: Array.from({ length: 1_200 }, (_, index) => ({ id: `item ${index}` })) }),
  ],
];

test.each(answers)('%s is the same JSON in steps as at once', async (_, type, message) => {
  for (const route of routes.filter(({ rpc }) => rpc.output === type)) {
    const binding = bindingOf(route);
    const pieces = await longResponseWriterOf(binding, options)(message);
    const text = Buffer.concat(pieces!).toString();
    expect(JSON.parse(text)).toEqual(JSON.parse(responseWriterOf(binding, options)(message)!));
    expect(text.length).toBe(responseWriterOf(binding, options)(message)!.length);
  }
});

test.each(answers)('%s is the same message in steps as at once', (_, type, message) => {
  expect(fromBinary(type, atOnce(binarySteps(type, message)))).toEqual(fromBinary(type, toBinary(type, message)));
});

test('an answer of ordinary size is not taken apart', () => {
  const small = create(EmitTriggerBatchResponseSchema, {
    results: Array.from({ length: 200 }, () => result(2)) as never,
  });
  expect(isLong(EmitTriggerBatchResponseSchema, small)).toBe(false);
});
