import type { Misjudged } from './misjudged.ts';

/**
 * One step of a migration before its `up`, in its own transaction or outside of any, so that calls continue meanwhile.
 * If a process dies between two steps, all are repeated: each must allow that (`if not exists`).
 */
export type Step =
  /** A short statement that locks one large table at most, such as a new column that may be null. */
  | { readonly sql: string }
  /**
   * An index on a table that can be large: `create index <index> on <on>`, built concurrently; an index that a crash
   * left invalid is built again.
   */
  | { readonly index: string; readonly on: string }
  /** An existing index to rebuild while it is in use. */
  | { readonly reindex: string }
  /** A constraint that was added `not valid`: rows are read without a lock that calls would meet. */
  | { readonly validate: string; readonly of: string }
  /** A statement that changes a bounded number of rows of every client, and is repeated until it changes none. */
  | { readonly slices: string };

/**
 * Whether hosts of the release before a migration and of the release that brings it may serve one database together. A
 * note contains only effects that an operator must know. It has whole sentences; the command and docs/upgrading.md
 * print them.
 */
export type Compatibility =
  | {
      readonly rolling: true;
      readonly note?: string;
      /** The definitions that hosts of the older release treat wrongly. While one is active, hosts of both must not serve together. */
      readonly misjudged?: Misjudged;
    }
  | {
      readonly rolling: false;
      /** The reason for which hosts of the older release have to stop first. */
      readonly reason: string;
      /** An SQL condition, in a database before or after the migration, under which they have to stop; without it they always have to. */
      readonly onlyIf?: string;
      /** A SELECT of `words`, with the same rights: the rows that make `onlyIf` true, in order. An operator decides about each. */
      readonly inTheWay?: string;
      /** The words for the other case. */
      readonly otherwise?: string;
    };

/** Products with a stock, of all clients. Texts are JSON, so that they cannot send control characters to a terminal. */
export const PRODUCTS_WITH_STOCK = `
  select format('product %s %s, %s, of the client %s %s', p.id, to_json(p.name), p.stock_mode, c.id, to_json(c.name)) as words
    from product p join client c on c.id = p.client_id where p.stock_mode <> 'UNLIMITED' order by c.name, c.id, p.name, p.id`;

/** The exports of a migration's file beside its class. */
export type Declared = {
  readonly compatibility?: Compatibility;
  readonly steps?: readonly Step[];
  /** The reason for a lock that `npm run check` refuses; only if the older release has to stop anyway. */
  readonly locks?: string;
};
