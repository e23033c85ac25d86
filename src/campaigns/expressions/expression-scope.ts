import { ExpressionUse_Scope as Scope } from '../../../gen/laurel/admin/v1/expression_admin_service_pb.ts';
import { ruleEnvironment } from '../../audiences/audience-rule.ts';
import type { EventDeclaration } from '../../engine/missions/event-expression.ts';
import type { Environment, ExpressionType } from '../../expressions/expression-type.ts';
import { badRequest, DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { UnitOfWork } from '../../persistence/database.ts';
import type { ClientCatalog } from '../catalog/catalog.ts';
import { anyEvent } from '../formulas/check-formula.ts';

/** A request about an expression that is not stored. */
export type ScopedExpression = { readonly scope: Scope; readonly programmaticCodes: readonly string[] };

/** The names that an expression may use, by the code of the events if it has one, and the type that it must have. */
export type ScopedEnvironment = {
  readonly code: string | undefined;
  // The contexts differ by scope; a check evaluates nothing.
  readonly environment: Environment<never>;
  readonly type: ExpressionType;
};

/**
 * The environments in which an expression must be right: one for each code.
 * @throws DomainError `BAD_REQUEST` for codes that the scope needs or refuses, `EVENT_DEFINITION_NOT_FOUND`
 */
export async function environmentsOf(
  uow: UnitOfWork,
  catalog: ClientCatalog,
  { scope, programmaticCodes: codes }: ScopedExpression,
  now: Date,
): Promise<ScopedEnvironment[]> {
  if (scope === Scope.AUDIENCE_RULE) {
    requireNoCodes(codes);
    const { environment } = await ruleEnvironment(uow, now);
    return [{ code: undefined, environment, type: 'BOOLEAN' }];
  }
  const type = scope === Scope.REWARD_AMOUNT ? 'NUMBER' : 'BOOLEAN';
  if (codes.length === 0 && scope === Scope.REWARD_AMOUNT) {
    return [{ code: undefined, environment: anyEvent(catalog.events, catalog.accountAttributes), type }];
  }
  return requireEvents(catalog, codes).map(({ code, events: { environment } }) => ({ code, environment, type }));
}

/** The declaration of the events of a code. */
export type DeclaredEvents = { readonly code: string; readonly events: EventDeclaration };

/**
 * The events of the codes of a request.
 * @throws DomainError `BAD_REQUEST` without a code, `EVENT_DEFINITION_NOT_FOUND`
 */
export function requireEvents({ events }: ClientCatalog, codes: readonly string[]): DeclaredEvents[] {
  if (codes.length === 0) throw badRequest('`programmaticCodes` is empty: send the code of the events.');
  return codes.map((code) => {
    const declaration = events.get(code);
    if (declaration !== undefined) return { code, events: declaration };
    throw new DomainError(
      'EVENT_DEFINITION_NOT_FOUND',
      sentence`There is no event definition '${code}'. GET /gamification/triggers lists the codes.`,
    );
  });
}

/** @throws DomainError `BAD_REQUEST` for codes of events beside an expression over accounts */
export function requireNoCodes(codes: readonly string[]): void {
  if (codes.length > 0) throw badRequest('`programmaticCodes` is for expressions over events: leave it out.');
}
