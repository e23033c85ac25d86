import { ConnectError } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import {
  type CheckExpressionResponse,
  type CountExpressionMatchesResponse,
  ExpressionAdminService,
  ExpressionUse_Scope as Scope,
} from '../../../gen/laurel/admin/v1/expression_admin_service_pb.ts';

/** The field of an expression, and the code of the events if it has one. */
export type ExpressionPlace = {
  readonly scope: keyof typeof Scope;
  readonly code?: string;
  /** Whether no mission is judged, so that none has progress. */
  readonly withoutMission?: boolean;
};

/** Milliseconds without typing after which a text is tried. */
const TYPING = 400;

/** The last answers about a text. */
export type Trial = {
  readonly check: CheckExpressionResponse | undefined;
  /** Undefined for an expression with a mistake, and for one that is not counted. */
  readonly count: CountExpressionMatchesResponse | undefined;
  /** The refusal of the count, for example because it takes too long. */
  readonly failure: ConnectError | undefined;
  /** Whether the answers are about an earlier text. */
  readonly isOld: boolean;
};

/**
 * Checks an expression, and counts what it holds for, while it is typed. Nothing is asked about an empty text, and before a code is known.
 */
export function useTrial(text: string, { scope, code }: ExpressionPlace, enabled: boolean): Trial {
  const [expression] = useDebouncedValue(text, TYPING);
  const isAsked = enabled && expression.trim() !== '' && (scope !== 'MISSION_CONDITION' || (code ?? '') !== '');
  const request = { expression, scope: Scope[scope], programmaticCodes: code ? [code] : [] };
  const checked = useQuery(ExpressionAdminService.method.checkExpression, request, {
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const isCounted = isAsked && scope !== 'REWARD_AMOUNT' && !checked.isPlaceholderData && checked.data?.valid === true;
  const counted = useQuery(ExpressionAdminService.method.countExpressionMatches, request, {
    enabled: isCounted,
    placeholderData: keepPreviousData,
    // A count is only of interest while somebody looks at this text.
    refetchOnWindowFocus: false,
  });
  const check = isAsked ? checked.data : undefined;
  return {
    check,
    count: check?.valid === true ? counted.data : undefined,
    failure: isCounted && counted.error ? ConnectError.from(counted.error) : undefined,
    isOld: text !== expression || checked.isPlaceholderData || (isCounted && counted.isPlaceholderData),
  };
}
