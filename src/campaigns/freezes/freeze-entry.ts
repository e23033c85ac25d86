import type { Amount } from '../../kernel/amount.ts';
import type { FREEZE_TYPES } from './streak-freeze.entity.ts';

/** A line of the ledger, before it is stored. */
export type NewFreezeEntry = {
  readonly accountId: string;
  readonly type: (typeof FREEZE_TYPES)[number];
  readonly amount: number;
  readonly at: Date;
  readonly missionId?: string | undefined;
  readonly period?: number | undefined;
  readonly periodKey?: string | undefined;
  readonly milestone?: number | undefined;
  readonly points?: Amount | undefined;
  readonly operationId?: string | undefined;
  readonly reason?: string | undefined;
};

/** A line of the ledger. */
export type FreezeEntry = NewFreezeEntry & { readonly id: string };
