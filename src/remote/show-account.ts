import { toJson } from '@bufbuild/protobuf';
import { AccountSchema } from '../../packages/typescript/src/gen/laurel/v1/account_pb.ts';
import { AccountService } from '../../packages/typescript/src/gen/laurel/v1/account_service_pb.ts';
import { AssignmentSchema } from '../../packages/typescript/src/gen/laurel/v1/assignment_pb.ts';
import { PointBalanceSchema } from '../../packages/typescript/src/gen/laurel/v1/loyalty_pb.ts';
import { connect, type Connection } from './connect.ts';
import { listOf, type Output, print, tableOf } from './output.ts';
import { idTypeOf } from './values.ts';

/** `laurel accounts show`: an account with its points and the missions in progress. Creates no account. */
export async function showAccount({
  args: [id = ''],
  options,
}: {
  readonly args: readonly string[];
  readonly options: Connection & Output & { readonly 'id-type'?: string | undefined };
}): Promise<void> {
  const laurel = await connect(options, idTypeOf(options));
  // First alone, because it refuses an unknown account.
  const { account } = await laurel.client(AccountService).getAccount({ id });
  const [points, progress] = await Promise.all([laurel.points(id), laurel.progress(id)]);
  const answer = {
    account: toJson(AccountSchema, account!),
    points: points === undefined ? undefined : toJson(PointBalanceSchema, points),
    missions: progress.map((each) => toJson(AssignmentSchema, each)),
  };
  await print(options, JSON.parse(JSON.stringify(answer)), () => {
    const { account, missions } = answer;
    const about = listOf([
      ['id', account.id],
      ['external id', account.externalId],
      ['name', account.name],
      ['e-mail', account.email],
      ['time zone', account.timeZone],
      ['created', account.createdAt],
      ['suspended', account.suspendedAt],
      ['deleted', account.deletedAt],
      ['attributes', account.attributes && JSON.stringify(account.attributes)],
      ['points', `${points?.available ?? 0}`],
    ]);
    const rows = missions.map(({ name = '', progress, target }) => [name, `${progress ?? 0} of ${target ?? 0}`]);
    return rows.length === 0 ? about : `${about}\n\n${tableOf(['mission', 'progress'], rows)}`;
  });
}
