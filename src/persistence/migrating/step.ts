/**
 * One thing that a migration does before its `up`, in a transaction of its own or outside of any, so that calls go on beside it.
 * A process may die between two, and all are done again then: each has to allow for that (`if not exists`).
 */
export type Step =
  /** A short statement that locks one large table at most, such as a new column that may be null. */
  | { readonly sql: string }
  /**
   * An index on a table that can be large: `create index <index> on <on>`, built concurrently; one that a crash left invalid is
   * built anew.
   */
  | { readonly index: string; readonly on: string }
  /** An existing index, all of whose rows are written anew while it is used. */
  | { readonly reindex: string }
  /** A constraint that was added `not valid`: rows are read without a lock that calls would meet. */
  | { readonly validate: string; readonly of: string }
  /** A statement that changes a bounded number of rows of every client, and is repeated until it changes none. */
  | { readonly slices: string };

/**
 * Whether hosts of the release before a migration and of the release that brings it may serve one database together. What is not
 * asked of an operator stands in no note. Sentences; the command and docs/upgrading.md print them as they are.
 */
export type Compatibility =
  | { readonly rolling: true; readonly note?: string }
  | {
      readonly rolling: false;
      /** Why the hosts of the older release have to stop before it. */
      readonly reason: string;
      /** An SQL condition, in a database before or after the migration, under which they have to; always, where there is none. */
      readonly onlyIf?: string;
      /**
       * A SELECT of `words`, under the same rights: what makes `onlyIf` true, one row each and in order. An operator decides about
       * each.
       */
      readonly inTheWay?: string;
      /** When they need not. */
      readonly otherwise?: string;
    };

/** Products with a stock, of all clients. Texts as JSON has them, so that none writes to a terminal more than itself. */
export const PRODUCTS_WITH_STOCK = `
  select format('product %s %s, %s, of the client %s %s', p.id, to_json(p.name), p.stock_mode, c.id, to_json(c.name)) as words
    from product p join client c on c.id = p.client_id where p.stock_mode <> 'UNLIMITED' order by c.name, c.id, p.name, p.id`;

/** What the file of a migration exports beside its class. */
export type Declared = {
  readonly compatibility?: Compatibility;
  readonly steps?: readonly Step[];
  /** Why it may lock what `npm run check` refuses to be locked; only where the older release has to stop anyway. */
  readonly locks?: string;
};
