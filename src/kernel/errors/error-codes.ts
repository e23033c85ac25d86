import { type DescMethod, getOption } from '@bufbuild/protobuf';
import {
  about,
  type ErrorCode,
  ErrorCodeSchema,
  errors,
  ErrorTraits_KindSchema,
} from '../../../gen/laurel/errors/v1/errors_pb.ts';
import { enumName, type EnumName } from '../enum-names.ts';
import type { ErrorKind } from './error-kinds.ts';

/** The code of an answer: laurel.errors.v1.ErrorCode. */
export type ErrorCodeName = EnumName<typeof ErrorCodeSchema>;

/** The kind of each code, and so its status. A plain object, because every refused event looks one up. */
export const errorKinds: Readonly<Record<ErrorCodeName, ErrorKind>> = Object.fromEntries(
  ErrorCodeSchema.values
    .filter(({ number }) => number !== 0)
    .map((value) => {
      const kind = enumName(ErrorTraits_KindSchema, getOption(value, about).kind);
      if (kind === undefined) throw new Error(`errors.proto states no kind of ${value.name}.`);
      return [value.name, kind];
    }),
) as Record<ErrorCodeName, ErrorKind>;

/**
 * The name of a code in a descriptor.
 * @throws Error for an unknown or unspecified code
 */
export function errorCodeName(code: ErrorCode): ErrorCodeName {
  const name = enumName(ErrorCodeSchema, code);
  if (name === undefined) throw new Error('An operation declares an error without a code.');
  return name;
}

/** The codes that an operation declares, in the order of the proto, including those of single items of its request. */
export function declaredCodes(method: DescMethod): readonly ErrorCodeName[] {
  return getOption(method, errors).map(({ code }) => errorCodeName(code));
}
