import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ActivationPreview_FindingSchema } from '../../../gen/laurel/admin/v1/campaign_admin_service_pb.ts';
import { DomainError } from '../../kernel/errors/domain-error.ts';
import { joined, partsOf, sentence, type Sentence } from '../../kernel/sentence.ts';

/** Something about a campaign that does not fit. */
export type Finding = {
  /** As a draft spells it, for example `missions[0].endsAt`. */
  readonly field: string;
  readonly message: Sentence;
};

/** A finding. @param field as a draft spells it */
export function finding(field: string, message: Sentence): Finding {
  return { field, message };
}

/** Findings in one sentence after the other, each with its field. */
export function inWords(findings: readonly Finding[]): Sentence {
  return joined(
    findings.map((found) => sentence`${found.field}: ${found.message}`),
    ' ',
  );
}

/**
 * Refuses to offer accounts a campaign of which something does not fit.
 * @throws DomainError `CAMPAIGN_NOT_READY`
 */
export function requireReady(problems: readonly Finding[]): void {
  if (problems.length > 0) throw new DomainError('CAMPAIGN_NOT_READY', inWords(problems));
}

/** A finding as the API has it. */
export function toFindingMessage({
  field,
  message,
}: Finding): MessageInitShape<typeof ActivationPreview_FindingSchema> {
  return { field, message: String(message), metadata: partsOf(message) };
}
