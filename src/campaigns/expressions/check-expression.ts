import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CheckExpressionRequest,
  CheckExpressionResponse_Type as Type,
  type CheckExpressionResponseSchema,
} from '../../../gen/laurel/admin/v1/expression_admin_service_pb.ts';
import type { ExpressionFaultSchema } from '../../../gen/laurel/errors/v1/expression_fault_pb.ts';
import type { Call } from '../../clients/call.ts';
import { compileAnyType, type Expression, requireType } from '../../expressions/compile.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { environmentsOf, type ScopedEnvironment } from './expression-scope.ts';

/** Checks an expression that is not stored: proto ExpressionAdminService.CheckExpression. */
export function checkExpression(
  { db, principal, clock }: Call,
  request: CheckExpressionRequest,
  catalogs: Catalogs,
): Promise<MessageInitShape<typeof CheckExpressionResponseSchema>> {
  return db.unitOfWork(principal.clientId, async (uow) => {
    const environments = await environmentsOf(uow, await catalogs(uow), request, clock());
    const checks = environments.map((each) => checkIn(request.expression, each));
    const compiled = checks.flatMap(({ expression }) => expression ?? []);
    const [first] = compiled.length === checks.length ? compiled : [];
    const mistakes = checks.flatMap(({ code, mistake }) =>
      mistake === undefined ? [] : [faultOf(mistake, checks.length > 1 ? code : undefined)],
    );
    return {
      valid: mistakes.length === 0,
      mistakes,
      ...(first && {
        type: Type[first.type],
        cost: Math.max(...compiled.map(({ cost }) => cost)),
        names: [...new Set(compiled.flatMap(({ names }) => [...names]))],
      }),
    };
  });
}

type Check = {
  readonly code: string | undefined;
  readonly expression?: Expression<never>;
  readonly mistake?: ExpressionError;
};

/** An expression of another type than the scope needs has both: what it is, and the mistake. */
function checkIn(text: string, { code, environment, type }: ScopedEnvironment): Check {
  let expression: Expression<never> | undefined;
  try {
    expression = compileAnyType(text, environment);
    requireType(expression, type);
    return { code, expression };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { code, mistake: error, ...(expression && { expression }) };
  }
}

function faultOf(mistake: ExpressionError, code: string | undefined): MessageInitShape<typeof ExpressionFaultSchema> {
  const { sentence: words, line, column, endLine, endColumn, expected } = mistake;
  const message = String(code === undefined ? words : sentence`For ${code}: ${words}`);
  return { field: 'expression', message, line, column, endLine, endColumn, expected: [...expected] };
}
