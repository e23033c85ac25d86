import { toJson } from '@bufbuild/protobuf';
import { FeedItemSchema } from '../../packages/typescript/src/gen/laurel/v1/assignment_pb.ts';
import { connect, type Connection } from './connect.ts';
import { type Output, print, tableOf } from './output.ts';
import { idTypeOf } from './values.ts';

/** `laurel accounts feed`: the missions of an account. */
export async function showFeed({
  args: [account = ''],
  options,
}: {
  readonly args: readonly string[];
  readonly options: Connection &
    Output & { readonly 'id-type'?: string | undefined; readonly status?: string | undefined };
}): Promise<void> {
  const laurel = await connect(options);
  const status = options.status as 'ACTIVE' | 'COMPLETED' | 'EXPIRED' | undefined;
  const feed = await laurel.feed(account, { ...idTypeOf(options), where: { status } });
  const items = feed.map((item) => toJson(FeedItemSchema, item));
  await print(options, items, () =>
    tableOf(
      ['mission', 'campaign', 'progress', 'status', 'expires'],
      items.map(({ name = '', campaignName, progress, target, status: state = '', expiresAt }) => [
        name,
        campaignName ?? '',
        `${progress ?? 0} of ${target ?? 0}`,
        state,
        expiresAt ?? '',
      ]),
    ),
  );
}
