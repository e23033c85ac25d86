import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromJson,
  type JsonValue,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import type { Transport } from '@connectrpc/connect';
import type { Filterable } from './gen/filters.ts';
import { type Filter, FilterSchema } from './gen/laurel/v1/filter_pb.ts';

/** The fields by which a list can be filtered, by its request. */
export type FieldsOf<I extends DescMessage> = MessageShape<I>['$typeName'] extends keyof Filterable
  ? Filterable[MessageShape<I>['$typeName']]
  : never;

/**
 * Conditions on fields: a value, several of which any matches, or `null` for absence. In a list by page a single text matches a part, and a list
 * of texts matches whole ones.
 */
export type Where<F> = { readonly [K in keyof F]?: F[K] | readonly F[K][] | null | undefined };

/** The conditions of a list. */
export type Conditions<F> = {
  readonly where?: Where<F> | undefined;
  /** True: any of the conditions must hold. False, the default: all of them. */
  readonly matchAny?: boolean | undefined;
  /** Whether to include deleted rows, in lists by page. */
  readonly includeDeleted?: boolean | undefined;
};

/** The query of a list: its conditions and the other fields of its request. */
export type ListQuery<I extends DescMessage> = Conditions<FieldsOf<I>> &
  Omit<MessageInitShape<I>, '$typeName' | '$unknown' | 'filters' | 'page' | 'limit' | 'cursor'> & {
    /** Rows for each request, 1-1000; 100 by default. */
    readonly pageSize?: number | undefined;
    readonly timeoutMs?: number | undefined;
    readonly signal?: AbortSignal | undefined;
  };

/** The row of a list. */
export type RowOf<O extends DescMessage> = MessageShape<O> extends { rows: readonly (infer R)[] } ? R : never;

/** The filter of some conditions; undefined without any. */
export function filterOf({ where = {}, matchAny, includeDeleted }: Conditions<object>): Filter | undefined {
  const conditions = Object.entries(where).filter(([, value]) => value !== undefined);
  if (conditions.length === 0 && includeDeleted === undefined) return undefined;
  return create(FilterSchema, {
    filters: conditions.map(([field, value]) => ({ field, value: fromJson(ValueSchema, plain(value)) })),
    matchAll: matchAny === undefined ? undefined : !matchAny,
    includeDeleted,
  });
}

/** The rows of a list, which asks for the next page when its rows are used up. */
export async function* rowsOf<I extends DescMessage, O extends DescMessage>(
  transport: Transport,
  method: DescMethodUnary<I, O>,
  { where, matchAny, includeDeleted, pageSize = 100, timeoutMs, signal, ...request }: ListQuery<I>,
): AsyncGenerator<RowOf<O>, void, undefined> {
  const filters = filterOf({ where, matchAny, includeDeleted });
  const byPage = method.input.field['page'] !== undefined;
  let position: Record<string, unknown> = byPage ? { page: 1 } : {};
  for (;;) {
    const input = { ...request, ...position, limit: pageSize, filters } as unknown as MessageInitShape<I>;
    const { message } = await transport.unary(method, signal, timeoutMs, undefined, input);
    const { rows, next, page, nextCursor } = message as unknown as Page<RowOf<O>>;
    yield* rows;
    if (next) position = { page: page! + 1 };
    else if (nextCursor) position = { cursor: nextCursor };
    else return;
  }
}

/** A page of a list by page or by cursor. */
type Page<Row> = {
  readonly rows: readonly Row[];
  readonly next?: boolean;
  readonly page?: number;
  readonly nextCursor?: string;
};

function plain(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Date ? value.toISOString() : (value as JsonValue);
}
