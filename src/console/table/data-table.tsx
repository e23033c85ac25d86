import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf';
import { useQuery } from '@connectrpc/connect-query';
import { Button, Card, Group } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { SearchX } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useTranslations } from 'use-intl';
import type { FilterSchema } from '../../../gen/laurel/v1/filter_pb.ts';
import { failureOfQuery } from '../api/failure.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import type { RowOf, TableFilter } from './column.ts';
import { filterOf, type FilterValue } from './filter-of.ts';
import { SaveButton } from './save-button.tsx';
import { listOrders, orderByOf, searchedById } from './list-orders.ts';
import { TableFilters } from './table-filters.tsx';
import { TablePages } from './table-pages.tsx';
import { useTableState } from './table-state.ts';
import { type RowOptions, TableView } from './table-view.tsx';

/** The field of a filter that is no condition: rows that were archived or removed are given, too. */
const INCLUDE_DELETED = 'includeDeleted';

/** The name of the search box among the filters, also in the address. */
const SEARCH = 'search';

/** The request of a table, without its page. */
export type TableRequest = {
  readonly filters: MessageInitShape<typeof FilterSchema>;
  readonly orderBy: string | undefined;
  readonly search: string | undefined;
};

/** A page of an answer, whatever its rows are. */
type PageOfRows<Row> = { readonly rows: readonly Row[]; readonly totalRows: number; readonly totalPages: number };

/** The properties of a table of the service's rows. */
export type DataTableProps<Input extends DescMessage, Output extends DescMessage> = RowOptions<RowOf<Output>> & {
  /** Under which the table remembers itself; unique in the console. */
  readonly id: string;
  /** Any method with `page`, `limit`, `filters`, `orderBy` and `search`. */
  readonly method: DescMethodUnary<Input, Output>;
  /** The rest of the request, for example the account. */
  readonly input?: MessageInitShape<Input>;
  readonly filters?: readonly TableFilter[];
  /** False if the page has its own search. */
  readonly searchable?: boolean;
  /** Conditions that always hold, beside those that the person sets. */
  readonly where?: Readonly<Record<string, FilterValue | undefined>>;
  /** The content of an empty table: an EmptyState with the next step. */
  readonly empty: ReactNode;
  /** Stands beside another table on its page. */
  readonly secondary?: boolean;
  /** Content beside the download, from the request of the table: filters, order and search. */
  readonly beside?: (asked: TableRequest) => ReactNode;
  /** Milliseconds between two refreshes, for data that changes without the operator. */
  readonly refetchInterval?: number;
};

/** A table of one paginated method: filters, order, pages and page size, remembered; loading, empty and failed states. */
export function DataTable<Input extends DescMessage, Output extends DescMessage>(props: DataTableProps<Input, Output>) {
  const t = useTranslations('table');
  const searched = { field: SEARCH, label: t(searchedById.has(props.method.localName) ? 'searchId' : 'search') };
  const filters = [...(props.searchable === false ? [] : [searched]), ...(props.filters ?? [])];
  const [state, change] = useTableState(props.id, filters, props.secondary ?? false);
  const orders = listOrders[props.method.localName] ?? [];
  const asked = {
    ...props.input,
    filters: {
      ...filterOf({ ...conditionsOf(filters, state.values), ...props.where }),
      includeDeleted: state.values[INCLUDE_DELETED] === 'true',
    },
    orderBy: orderByOf(state.order, orders),
    search: state.values[SEARCH],
  };
  const request = { ...asked, page: state.page, limit: state.limit } as unknown as MessageInitShape<Input>;
  const query = useQuery(props.method, request, {
    placeholderData: keepPreviousData,
    refetchInterval: props.refetchInterval,
  });
  const page = query.data as PageOfRows<RowOf<Output>> | undefined;
  const failure = failureOfQuery({ ...query, data: page });
  const narrowed = Object.keys(state.values).length > 0;
  const lastPage = page === undefined || query.isPlaceholderData ? undefined : Math.max(1, page.totalPages);
  const isBeyond = lastPage !== undefined && state.page > lastPage;
  // The address may be old, or the rows may have become fewer.
  useEffect(() => {
    if (isBeyond) change({ page: lastPage }, 'replace');
  });

  return (
    <Card p={0}>
      <TableFilters
        filters={filters}
        values={state.values}
        onChange={(values, step) => change({ values }, step)}
        end={
          <Group gap="sm" ml="auto">
            {props.beside?.(asked)}
            <SaveButton {...props} asked={asked} disabled={page === undefined || page.totalRows === 0} />
          </Group>
        }
      />
      {failure !== null ? (
        <div style={{ padding: 16 }}>
          <FailureAlert error={failure} retry={() => void query.refetch()} />
        </div>
      ) : page?.totalRows === 0 ? (
        (narrowed && (
          <EmptyState
            icon={SearchX}
            title={t('noMatch')}
            hint={t('noMatchHint')}
            action={
              <Button variant="default" onClick={() => change({ values: {} })}>
                {t('clear')}
              </Button>
            }
          />
        )) ||
        props.empty
      ) : (
        <TableView
          {...props}
          rows={isBeyond ? undefined : page?.rows}
          order={state.order}
          onOrder={(order) => change({ order }, 'replace')}
          ordered={orders}
          // With several pages, an order within one page alone would be misleading.
          isWhole={page !== undefined && page.totalPages <= 1}
        />
      )}
      {failure === null && (page?.totalRows !== 0 || narrowed) && (
        <TablePages
          state={state}
          totalRows={isBeyond ? undefined : page?.totalRows}
          totalPages={page?.totalPages}
          onChange={change}
        />
      )}
    </Card>
  );
}

function conditionsOf(
  filters: readonly TableFilter[],
  values: Readonly<Record<string, string>>,
): Record<string, FilterValue> {
  return Object.fromEntries(
    filters.flatMap(({ field, options, exact }) => {
      const value = values[field];
      if (value === undefined || field === INCLUDE_DELETED || field === SEARCH) return [];
      // One choice can be several values: all that failed, however they did.
      if (options !== undefined && exact !== true) return [[field, value.split(',')]];
      return [[field, exact === true ? [value] : value]];
    }),
  );
}
