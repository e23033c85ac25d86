import { create, toJsonString } from '@bufbuild/protobuf';
import type { ReactNode } from 'react';
import { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { FilterSchema } from '../../../gen/laurel/v1/filter_pb.ts';
import { Allowed } from '../session/allowed.tsx';
import { DownloadButton } from '../shell/download-button.tsx';
import type { TableRequest } from './data-table.tsx';

/** Downloads an export of the service, with the filters and order of the table beside it. */
export function ExportButton(props: {
  /** The REST path of the export. */
  readonly path: string;
  readonly fileName: string;
  readonly asked: TableRequest;
  /** Further arguments of the export, for example the account. */
  readonly input?: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}) {
  const { filters, orderBy, search } = props.asked;
  const asked = {
    filters: filters.filters?.length ? toJsonString(FilterSchema, create(FilterSchema, filters)) : undefined,
    orderBy,
    search,
  };
  const query = new URLSearchParams(props.input);
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) query.set(name, value);
  return (
    <Allowed to={Permission.EXPORT}>
      <DownloadButton path={`${props.path}?${query.toString()}`} fileName={props.fileName}>
        {props.children}
      </DownloadButton>
    </Allowed>
  );
}
