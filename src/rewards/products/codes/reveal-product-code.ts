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
import { lookUpByKey } from '../../../persistence/key-lookup.ts';
import { redemptionsById } from '../../../redemptions/redemptions.queries.ts';
import { CODE_COLUMNS, type CodeRow, toCodeMessage } from './product-code-message.ts';

/** Returns one unmasked code, and records the request in the audit log: proto ProductAdminService.RevealProductCode. */
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
    // The entry has no change; it names the masked code.
    await recordChange(uow, principal, { operation, schema: ProductCodeSchema, id, before: shown, after: shown });
    return { code: row.code };
  });
}
