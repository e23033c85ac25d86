import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ProductAdminService,
  type RevealProductCodeRequest,
  type RevealProductCodeResponseSchema,
} from '../../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { ProductCodeSchema } from '../../../../gen/laurel/admin/v1/product_pb.ts';
import { recordChange } from '../../../audit/record-change.ts';
import type { Call } from '../../../clients/call.ts';
import { DomainError } from '../../../kernel/errors/domain-error.ts';
import { lookUpByKey } from '../../../persistence/by-keys.ts';
import { redemptionsById } from '../../../redemptions/redemptions.queries.ts';
import { CODE_COLUMNS, type CodeRow, toCodeMessage } from './product-code-message.ts';

/** Gives one code whole, and enters into the audit log who asked for it: proto ProductAdminService.RevealProductCode. */
export async function revealProductCode(
  { db, principal }: Call,
  request: Pick<RevealProductCodeRequest, 'id'>,
): Promise<MessageInitShape<typeof RevealProductCodeResponseSchema>> {
  const id = request.id.toLowerCase();
  return db.unitOfWork(principal.clientId, async (uow) => {
    const [row] = await uow.query<CodeRow>(
      `select c.* from unnest($2::uuid[]) as wanted(id)
        cross join ${lookUpByKey({ select: CODE_COLUMNS, from: 'product_code', key: { id: 'wanted.id' } })} c`,
      [uow.clientId, [id]],
    );
    if (row === undefined)
      throw new DomainError('PRODUCT_CODE_NOT_FOUND', `There is no code ${id}. It may have been withdrawn.`);
    const { redemption_id: redemptionId } = row;
    const redemptions = await redemptionsById(uow, redemptionId === null ? [] : [redemptionId]);
    const shown = toCodeMessage(row, redemptions.get(redemptionId ?? '')?.accountId);
    const operation = ProductAdminService.method.revealProductCode;
    // Nothing changes; the entry says which code it was, masked as everywhere.
    await recordChange(uow, principal, { operation, schema: ProductCodeSchema, id, before: shown, after: shown });
    return { code: row.code };
  });
}
