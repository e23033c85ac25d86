import type { Violation } from '@bufbuild/protovalidate';
import { DomainError, type ErrorDetail } from '../../kernel/errors/domain-error.ts';

/** One invalid field, with its JSON name. */
export type FieldFault = { readonly field: string; readonly description: string; readonly violation: Violation };

/** The maximum of faults in the message and the details; the answer to ten thousand bad ids would otherwise be a megabyte. */
const LISTED = 10;

/** The 400 of a request that breaks the rules stated in the protos. Its message lists the invalid fields and the valid values. */
export class InvalidRequest extends DomainError {
  readonly fields: readonly FieldFault[];

  constructor(fields: readonly FieldFault[]) {
    super('BAD_REQUEST', messageOf(fields));
    this.fields = fields;
  }

  override get details(): readonly ErrorDetail[] {
    return this.fields
      .slice(0, LISTED)
      .map(({ field, description, violation }) => ({ field, rule: violation.ruleId, message: description }));
  }
}

function messageOf(fields: readonly FieldFault[]): string {
  const listed = fields
    .slice(0, LISTED)
    .map(({ field, description }) => (field === '' ? description : `${field} ${description}`));
  const more = fields.length > LISTED ? [`and ${fields.length - LISTED} more`] : [];
  return `${[...listed, ...more].join('; ')}.`;
}
