import type { MessageInitShape } from '@bufbuild/protobuf';
import type {
  ExplainAudienceRequest,
  ExplainAudienceResponseSchema,
} from '../../gen/laurel/admin/v1/audience_admin_service_pb.ts';
import { requireAccount } from '../accounts/resolving/resolve-accounts.ts';
import type { Call } from '../clients/call.ts';
import { DomainError } from '../kernel/errors/domain-error.ts';
import { explainRule, ruleContexts, ruleEnvironment, ruleOf } from './audience-rule.ts';
import { requireAudience } from './require-audience.ts';

/** Says whether a RULE audience has an account, and why not: proto AudienceAdminService.ExplainAudience. */
export function explainAudience(
  { db, principal, clock }: Call,
  { audienceId, accountId, idType }: ExplainAudienceRequest,
): Promise<MessageInitShape<typeof ExplainAudienceResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const audience = await requireAudience(uow, audienceId);
    if (audience.kind !== 'RULE' || audience.expression == null) {
      throw new DomainError('AUDIENCE_NOT_RULE', 'This audience has no expression. Name an audience of kind RULE.');
    }
    const account = await requireAccount(uow, { accountId, idType });
    const now = clock();
    const environment = await ruleEnvironment(uow, now);
    const rule = ruleOf(audience.expression, environment);
    const context = (await ruleContexts(uow, environment, [rule], [account.id], now))(account, now);
    const unmet = explainRule(rule, environment, context);
    return { member: unmet === undefined, explanation: unmet?.toString() };
  });
}
