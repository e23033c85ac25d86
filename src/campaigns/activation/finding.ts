import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ActivationPreview_FindingSchema } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { joined, partsOf, sentence, type Sentence } from '../../kernel/sentence.ts';

/** A problem of a campaign, with its field. */
export type Finding = {
  /** The field in the spelling of a draft, for example `missions[0].endsAt`. */
  readonly field: string;
  readonly message: Sentence;
};

/** A finding. @param field the field in the spelling of a draft */
export function finding(field: string, message: Sentence): Finding {
  return { field, message };
}

/** The findings as consecutive sentences, each with its field. */
export function inWords(findings: readonly Finding[]): Sentence {
  return joined(
    findings.map((found) => sentence`${found.field}: ${found.message}`),
    ' ',
  );
}

/**
 * Refuses to offer a campaign with problems to accounts.
 * @throws DomainError `CAMPAIGN_NOT_READY`
 */
export function requireReady(problems: readonly Finding[]): void {
  if (problems.length > 0) throw new DomainError('CAMPAIGN_NOT_READY', inWords(problems));
}

/** The API message of a finding. */
export function toFindingMessage({
  field,
  message,
}: Finding): MessageInitShape<typeof ActivationPreview_FindingSchema> {
  return { field, message: String(message), metadata: partsOf(message) };
}
