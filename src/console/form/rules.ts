import type { DescMessage, MessageShape } from '@bufbuild/protobuf';
import type { Validator, Violation } from '@bufbuild/protovalidate';

/** A rule that a field breaks. */
export type RuleViolation = {
  /** The field's path in a form, for example `missions.0.target`. */
  readonly path: string;
  /** The rule, for example `string.min_len`. */
  readonly rule: string;
  /** The rule's own words, in English. */
  readonly message: string;
};

/** Finds the rules of a proto that a message breaks. */
export type Rules = <Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>) => readonly RuleViolation[];

let loading: Promise<Rules> | undefined;

/**
 * Loads the service's own rules: protovalidate, on the same protos. Only forms need it, so it is no part of the first load; until then, the
 * service's answer shows the faults.
 */
export function loadRules(): Promise<Rules> {
  loading ??= import('@bufbuild/protovalidate').then(({ createValidator }) => rulesOf(createValidator()));
  return loading;
}

function rulesOf(validator: Validator): Rules {
  return (schema, message) => {
    const result = validator.validate(schema, message);
    if (result.kind !== 'invalid') return [];
    return result.violations.map((violation) => ({
      path: pathOf(violation),
      rule: violation.ruleId,
      message: violation.message,
    }));
  };
}

function pathOf({ field }: Violation): string {
  return field
    .flatMap((element) => {
      if (element.kind === 'field') return [element.jsonName];
      if (element.kind === 'list_sub') return [String(element.index)];
      return [];
    })
    .join('.');
}
