import { toJson } from '@bufbuild/protobuf';
import {
  type EmitTriggerResponseJson,
  EmitTriggerResponseSchema,
} from '../../packages/typescript/src/gen/laurel/v1/trigger_service_pb.ts';
import { connect, type Connection } from './connect.ts';
import { type Output, print, tableOf } from './output.ts';
import { contentOf, type EventValues, idTypeOf } from './values.ts';

/** `laurel events emit`: applies one event. */
export async function emitEvent({
  args: [code = '', account = ''],
  options,
}: {
  readonly args: readonly string[];
  readonly options: Connection & Output & EventValues & { readonly 'operation-id'?: string | undefined };
}): Promise<void> {
  const content = contentOf(options);
  const laurel = await connect(options);
  const call = { ...idTypeOf(options), operationId: options['operation-id'] };
  const answer = toJson(EmitTriggerResponseSchema, await laurel.emit(code, account, content, call));
  await print(options, answer, () => effectOf(answer));
}

function effectOf(answer: EmitTriggerResponseJson): string {
  const { progressedMissions = [], rewards = [], pendingRewards = [], skippedRewards = [] } = answer;
  const missions = progressedMissions.map(({ name = '', progress, target, status = '' }) => [
    name,
    `${progress ?? 0} of ${target ?? 0}`,
    status,
  ]);
  const earned = [...rewards, ...pendingRewards].map(({ rewardType = '', amount, status = '' }) => [
    rewardType,
    `${amount ?? 0}`,
    status,
  ]);
  const skipped = skippedRewards.map(({ name = '', reason = '' }) => [name, '', reason]);
  const gained = [...earned, ...skipped];
  return [
    missions.length === 0 ? 'It counted for no mission.' : tableOf(['mission', 'progress', 'status'], missions),
    ...(gained.length === 0 ? [] : [tableOf(['reward', 'amount', 'status'], gained)]),
  ].join('\n\n');
}
