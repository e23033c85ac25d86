import { badRequest, type DomainError } from '../../kernel/errors/domain-error.ts';
import { sentence } from '../../kernel/sentence.ts';
import { checkedText } from '../../kernel/text.ts';
import { type RewardType, rewardTypeRules, rewardTypesWhere, type TypedField } from './reward-types.ts';

/** The fields of a request that not every type has. */
type Sent = { readonly [Field in TypedField]?: unknown };

/** @throws DomainError `BAD_REQUEST` for a field that the type needs and the request lacks */
export function requireTypedFields(request: Sent, type: RewardType): void {
  for (const field of fieldsOf(type)) {
    if (request[field] === undefined && rewardTypeRules[type].fields[field] === 'required')
      throw badRequest(sentence`A reward of type ${type} needs a \`${field}\`.`);
  }
}

/** @throws DomainError `BAD_REQUEST` for a field that only other types have */
export function refuseForeignFields(request: Sent, type: RewardType): void {
  for (const field of fieldsOf(type)) {
    if (request[field] !== undefined && rewardTypeRules[type].fields[field] === 'refused') throw foreign(field, type);
  }
}

/** A text that is left out if it is empty. @throws DomainError `BAD_REQUEST` for one that cannot be stored */
export function textOrNone(text: string | undefined, subject: string): string | undefined {
  return text ? checkedText(text, subject) : undefined;
}

function fieldsOf(type: RewardType): TypedField[] {
  return Object.keys(rewardTypeRules[type].fields) as TypedField[];
}

function foreign(field: TypedField, type: RewardType): DomainError {
  const [first, ...rest] = rewardTypesWhere(({ fields }) => fields[field] !== 'refused');
  const types = rest.reduce((all, next) => sentence`${all} and ${next}`, sentence`${first!}`);
  return badRequest(sentence`\`${field}\` goes with the type ${types} only, this reward is ${type}. Leave it out.`);
}
