import { CalendarClock, Contact, type LucideIcon, Sigma, Ticket } from 'lucide-react';
import { Import_Status, Import_Type } from '../../../../gen/laurel/admin/v1/import_pb.ts';
import { enumName } from '../../api/enum-name.ts';

/** The types of files, by the names of the proto. */
export const importTypes = ['ACCOUNTS', 'PRODUCT_CODES', 'EVENTS', 'STATISTICS'] as const;

/** The name of a file's content. */
export type ImportTypeName = (typeof importTypes)[number];

/** The names of the rewards that events of a file may earn, by the names of the proto. */
export const eventRewards = ['NONE', 'POINTS', 'ALL'] as const;

/** The values of the form of a new import. */
export type ImportValues = {
  type: ImportTypeName;
  fileName: string;
  audienceId: string;
  productId: string;
  itemId: string;
  rewards: (typeof eventRewards)[number];
  webhooks: boolean;
  dryRun: boolean;
};

/** A picture for each type. */
export const importIcons: Readonly<Record<ImportTypeName, LucideIcon>> = {
  ACCOUNTS: Contact,
  PRODUCT_CODES: Ticket,
  EVENTS: CalendarClock,
  STATISTICS: Sigma,
};

/** The columns that the service reads of each type, beside attributes: those that must be there, and the others. */
export const importColumns = {
  ACCOUNTS: { required: ['externalId'], optional: ['email', 'name', 'timeZone', 'audience'] },
  PRODUCT_CODES: { required: ['code'], optional: ['item'] },
  EVENTS: {
    required: ['operationId', 'programmaticCode', 'accountId', 'occurredAt'],
    optional: ['idType', 'amount'],
  },
  STATISTICS: { required: ['externalId', 'statistic', 'value'], optional: ['period'] },
} as const satisfies Readonly<Record<ImportTypeName, { required: readonly string[]; optional: readonly string[] }>>;

/** The states of an import, in the order of its life. */
export const importStatuses = [
  'UPLOADING',
  'QUEUED',
  'RUNNING',
  'DONE',
  'FAILED',
  'CANCELLED',
  'REVERSING',
  'REVERSED',
] as const;

/** The name of a state of an import. */
export type ImportStatusName = (typeof importStatuses)[number];

/** The name of a type. @throws Error for a value that this page does not know */
export function importTypeName(type: Import_Type): ImportTypeName {
  return enumName(Import_Type, type);
}

/** The name of a state. @throws Error for a value that this page does not know */
export function importStatusName(status: Import_Status): ImportStatusName {
  return enumName(Import_Status, status);
}

/** Whether an import has reached its final status. */
export function isEnded(status: Import_Status): boolean {
  const { DONE, FAILED, CANCELLED, REVERSED } = Import_Status;
  return status === DONE || status === FAILED || status === CANCELLED || status === REVERSED;
}
