import { type DescField, getOption, hasOption } from '@bufbuild/protobuf';
import { field as fieldRules } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';

/** The range of a number according to its proto. */
export type Bounds = { readonly least?: number | undefined; readonly most?: number | undefined };

const NONE: Bounds = {};

/** The inclusive bounds in a field's rules for its number, or for each of its numbers. */
export function boundsOf(field: DescField): Bounds {
  if (!hasOption(field, fieldRules)) return NONE;
  const { type } = getOption(field, fieldRules);
  const rules = type.case === 'repeated' ? type.value.items?.type : type;
  switch (rules?.case) {
    case 'int32':
    case 'uint32':
    case 'double': {
      const { greaterThan, lessThan } = rules.value;
      return {
        least: greaterThan.case === 'gte' ? greaterThan.value : undefined,
        most: lessThan.case === 'lte' ? lessThan.value : undefined,
      };
    }
    default:
      return NONE;
  }
}

/** The bounds in words, as the end of "an integer"; empty without any. */
export function boundsInWords({ least, most }: Bounds): string {
  const from = least === undefined ? '' : ` from ${least}`;
  if (most === undefined) return from;
  return least === undefined ? ` up to ${most}` : `${from} to ${most}`;
}
