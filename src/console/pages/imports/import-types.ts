import { Contact, type LucideIcon, Sigma, Ticket } from 'lucide-react';
import { Import_Status, Import_Type } from '../../../../gen/laurel/admin/v1/import_pb.ts';
import { enumName } from '../../api/enum-name.ts';

/** The types of files that the form of a new import offers, by the names of the proto. */
export const formTypes = ['ACCOUNTS', 'PRODUCT_CODES', 'STATISTICS'] as const;

/** The types of files, by the names of the proto. Files of events come by the API. */
export const importTypes = [...formTypes, 'EVENTS'] as const;

/** The name of a file's content. */
export type ImportTypeName = (typeof importTypes)[number];

/** The name of a type in the form. */
export type FormTypeName = (typeof formTypes)[number];

/** The values of the form of a new import. */
export type ImportValues = {
  type: FormTypeName;
  fileName: string;
  audienceId: string;
  productId: string;
  itemId: string;
};

/** A picture for each type. */
export const importIcons: Readonly<Record<FormTypeName, LucideIcon>> = {
  ACCOUNTS: Contact,
  PRODUCT_CODES: Ticket,
  STATISTICS: Sigma,
};

/** The columns that the service reads of each type, beside attributes of accounts; the first must be there. */
export const importColumns = {
  ACCOUNTS: ['externalId', 'email', 'name', 'timeZone', 'audience'],
  PRODUCT_CODES: ['code', 'item'],
  STATISTICS: ['externalId', 'statistic', 'value', 'period'],
} as const satisfies Readonly<Record<FormTypeName, readonly [string, ...string[]]>>;

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
