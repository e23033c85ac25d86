import { toJson } from '@bufbuild/protobuf';
import { type BatchedEvent, type IdType } from '../../packages/typescript/src/index.ts';
import { triggerOf } from '../../packages/typescript/src/events.ts';
import type { SimulatedMissionJson } from '../../packages/typescript/src/gen/laurel/v1/trigger_pb.ts';
import {
  type SimulateTriggerResponseJson,
  SimulateTriggerResponseSchema,
  TriggerService,
} from '../../packages/typescript/src/gen/laurel/v1/trigger_service_pb.ts';
import { connect, type Connection } from './connect.ts';
import { type Output, print, tableOf, visible } from './output.ts';
import { contentOf, type EventValues } from './values.ts';

/** `laurel simulate`: the effect that an event would have on each mission that counts its code. */
export async function simulateEvent({
  args: [code = '', account = ''],
  options,
}: {
  readonly args: readonly string[];
  readonly options: Connection & Output & EventValues & { readonly explain?: boolean | undefined };
}): Promise<void> {
  const event: BatchedEvent = {
    ...contentOf(options),
    code,
    account,
    idType: options['id-type'] as IdType | undefined,
  };
  const laurel = await connect(options);
  const response = await laurel.client(TriggerService).simulateTrigger({ trigger: triggerOf(event) });
  const answer = toJson(SimulateTriggerResponseSchema, response);
  await print(options, answer, () => effectOf(answer, options.explain === true));
}

function effectOf({ missions = [], statistics = [], levels = [] }: SimulateTriggerResponseJson, explains: boolean) {
  if (missions.length === 0) return 'No mission counts events of this code.';
  const rows = missions.map(({ name = '', campaignName = '', progress, uncountedReason }) => [
    name,
    campaignName,
    progress === undefined
      ? 'no effect'
      : `${progress.previousProgress ?? 0} to ${progress.progress ?? 0} of ${progress.target ?? 0}`,
    uncountedReason ?? progress?.status ?? '',
  ]);
  const table = tableOf(['mission', 'campaign', 'progress', 'status or reason'], rows);
  if (!explains) return table;
  const moved = [`statistics moved: ${statistics.length}`, `levels reached: ${levels.length}`];
  return [table, ...missions.map(explanationOf), moved.join(', ')].join('\n\n');
}

function explanationOf({
  name = '',
  explanation,
  rewards = [],
  closing,
  skippedRewards = [],
  webhooks = [],
}: SimulatedMissionJson) {
  const lines = [
    ...(explanation ? [explanation] : []),
    ...rewards.map(({ name: reward, amount, status }) => `it would give ${reward}: ${amount ?? 0} (${status})`),
    ...(closing === undefined
      ? []
      : [`it would complete the campaign${closing.claimable ? ', which then waits for the claim' : ''}`]),
    ...(closing?.rewards ?? []).map(
      ({ name: reward, amount, status }) => `the campaign would give ${reward}: ${amount ?? 0} (${status})`,
    ),
    ...[...skippedRewards, ...(closing?.skippedRewards ?? [])].map(
      ({ name: reward, reason }) => `not given: ${reward} (${reason})`,
    ),
    ...webhooks.map(({ type, target }) => `webhook ${type} to ${target}`),
  ];
  return [
    `${visible(name)}:`,
    ...(lines.length === 0 ? ['no effect'] : lines).map((line) => `  ${visible(line)}`),
  ].join('\n');
}
