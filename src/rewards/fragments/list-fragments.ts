import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ListFragmentsRequest, ListFragmentsResponseSchema } from '../../../gen/laurel/v1/chest_service_pb.ts';
import { findAccountToRead } from '../../accounts/resolving/find-account-to-read.ts';
import type { Call } from '../../clients/call.ts';
import { piecesOfAccount } from './fragments.ts';

/** Lists the earned pieces of an account: proto ChestService.ListFragments. */
export function listFragments(
  { db, principal }: Call,
  { accountId, idType }: ListFragmentsRequest,
): Promise<MessageInitShape<typeof ListFragmentsResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const account = await findAccountToRead(uow, { accountId, idType });
    const earned = account ? await piecesOfAccount(uow, account.id) : [];
    return {
      fragments: earned.map(({ waitingPieces, ...rest }) => ({ ...rest, waitingPieces: waitingPieces ?? undefined })),
    };
  });
}
