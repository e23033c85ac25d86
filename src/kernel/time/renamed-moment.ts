import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { badRequest } from '../errors/domain-error.ts';
import { sentence } from '../sentence.ts';

/** One field with its name. */
type Named = Readonly<Record<string, Timestamp | undefined>>;

/**
 * The moment of a renamed field: `renamedMoment({ since }, { from })`. Undefined if neither name was sent.
 * @throws DomainError `BAD_REQUEST` if both were, with different moments
 */
export function renamedMoment(field: Named, deprecated: Named): Date | undefined {
  const [[name, moment] = ['']] = Object.entries(field);
  const [[formerName, former] = ['']] = Object.entries(deprecated);
  if (moment === undefined || former === undefined) {
    const sent = moment ?? former;
    return sent && timestampDate(sent);
  }
  if (moment.seconds !== former.seconds || moment.nanos !== former.nanos)
    throw badRequest(sentence`${name} and ${formerName} say different moments. Send ${name} alone.`);
  return timestampDate(moment);
}
