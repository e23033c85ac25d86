import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { ReactNode } from 'react';
import type { fields } from '../messages/en/fields.ts';

/** A field that is called the same in every table, as the messages' catalogue of fields says. */
export type FieldName = keyof typeof fields;

/** The rows that a paginated method answers with. */
export type RowOf<Output extends DescMessage> =
  MessageShape<Output> extends { readonly rows: readonly (infer Row)[] } ? Row : never;

/** One column of a table. */
export type Column<Row> = (
  | {
      readonly key: string;
      /** Its heading, in the person's language. */
      readonly title: string;
    }
  | {
      readonly key: FieldName;
      /** The title, if it differs from the field's label. */
      readonly title?: string;
    }
) & {
  readonly render: (row: Row) => ReactNode;
  /** Whether the column is right-aligned, so that digits of numbers align. */
  readonly align?: 'right';
  /** The CSS width; other columns share the remaining width. */
  readonly width?: string | number;
  /** Whether it is hidden on a phone, where every column takes a line. */
  readonly wideOnly?: boolean;
  /** The sort value; by default the row's field with the name of the key. */
  readonly sort?: (row: Row) => string | number | undefined;
};

/**
 * A filter of a table; `field` is the name in the service's filter, or `includeDeleted` to widen it. The label may be
 * left out as a column's title may.
 */
export type TableFilter = (
  | { readonly field: string; readonly label: string }
  | { readonly field: FieldName; readonly label?: string }
) & {
  /** The values to choose from; without them any text. One that names several, with commas between, means any of them. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  /** A typed text must match whole, not in part: ids and codes. A chosen value is one, whatever commas it has. */
  readonly exact?: boolean;
  /** Filters with the same group share a place, named by it: one of them is chosen, then its value. */
  readonly group?: string;
};
