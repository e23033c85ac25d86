import type { ExpressionAdminService } from '../../../gen/laurel/admin/v1/expression_admin_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { checkExpression } from './check-expression.ts';
import type { RecentEvents } from './count-events.ts';
import { countExpressionMatches } from './count-expression-matches.ts';

/** The operations on expressions that are not stored. @param recentEvents reads the journal */
export function expressionAdminService(catalogs: Catalogs, recentEvents: RecentEvents) {
  return {
    checkExpression: (call, request) => checkExpression(call, request, catalogs),
    countExpressionMatches: (call, request) => countExpressionMatches(call, request, catalogs, recentEvents),
  } satisfies Handlers<typeof ExpressionAdminService>;
}
