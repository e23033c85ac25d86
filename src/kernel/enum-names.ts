import { type DescEnum, type EnumJsonType, type EnumShape, enumToJson } from '@bufbuild/protobuf';

/** The names of a generated enum without its zero value, as used in rows and rules. */
export type EnumName<Desc extends DescEnum> = Exclude<EnumJsonType<Desc>, `${string}_UNSPECIFIED` | null>;

/**
 * The word of an enum value, or undefined for the zero value.
 * @throws Error for an unknown number; validation refuses it before the handler runs
 */
export function enumName<Desc extends DescEnum>(schema: Desc, value: EnumShape<Desc>): EnumName<Desc> | undefined {
  if (value === 0) return undefined;
  return enumToJson(schema, value) as EnumName<Desc>;
}

/** The names of a generated enum without its zero value, in the order of the proto. */
export function enumNames<Desc extends DescEnum>(schema: Desc): readonly EnumName<Desc>[] {
  return schema.values.filter(({ number }) => number !== 0).map(({ name }) => name as EnumName<Desc>);
}
