import { badRequest } from '../kernel/errors/domain-error.ts';
import { sentence } from '../kernel/sentence.ts';

/**
 * The IANA name of a time zone in its usual spelling; `europe/madrid` is `Europe/Madrid`.
 * @throws DomainError `BAD_REQUEST` for a name that the platform does not know, and for a bare offset such as `+02:00`,
 * whose calendar would be wrong for half of the year
 */
export function checkedTimeZone(text: string): string {
  const timeZone = /^[A-Za-z]/.test(text) ? knownTimeZone(text) : undefined;
  if (timeZone !== undefined) return timeZone;
  throw badRequest(sentence`timeZone '${text}' is unknown. Send an IANA name such as Europe/Madrid.`);
}

function knownTimeZone(text: string): string | undefined {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId;
  } catch {
    return undefined;
  }
}
