import type { MessageInitShape } from '@bufbuild/protobuf';
import { useTranslations } from 'use-intl';
import {
  type AttributeDefinition,
  type AttributeDefinitionSchema,
  AttributeDefinition_Type as Type,
} from '../../../gen/laurel/v1/attribute_pb.ts';
import { enumName, type EnumName } from '../api/enum-name.ts';

/** The type of an attribute, by its name in the proto. */
export type AttributeTypeName = EnumName<typeof Type>;

/** The types of attributes, in the order of the proto. */
export const attributeTypeNames: readonly AttributeTypeName[] = [
  'STRING',
  'NUMBER',
  'BOOLEAN',
  'TIMESTAMP',
  'STRING_LIST',
];

/** The name of a declared attribute's type. */
export function typeNameOf({ type }: Pick<AttributeDefinition, 'type'>): AttributeTypeName {
  return enumName(Type, type);
}

/** The fields of one declared attribute. Those of another type than the chosen one are kept, and not sent. */
export type AttributeEntry = {
  /** The key of the row in the form; never sent. */
  key: string;
  name: string;
  type: AttributeTypeName;
  required: boolean;
  allowedValues: string[];
  min: number | '';
  max: number | '';
  personal: boolean;
  description: string;
};

/** An empty row. */
export function emptyEntry(): AttributeEntry {
  return {
    key: String(Math.random()),
    name: '',
    type: 'STRING',
    required: false,
    allowedValues: [],
    min: '',
    max: '',
    personal: false,
    description: '',
  };
}

/** The rows of declared attributes. */
export function entriesOf(attributes: readonly AttributeDefinition[]): AttributeEntry[] {
  return attributes.map((attribute) => ({
    ...emptyEntry(),
    name: attribute.name,
    type: typeNameOf(attribute),
    required: attribute.required,
    allowedValues: attribute.allowedValues,
    min: attribute.min ?? '',
    max: attribute.max ?? '',
    personal: attribute.personal,
    description: attribute.description,
  }));
}

/** Whether attributes of a type have texts, which can be limited to some. */
export function hasTexts(type: AttributeTypeName): boolean {
  return type === 'STRING' || type === 'STRING_LIST';
}

/** The request of the rows. */
export function sentAttributes(
  entries: readonly AttributeEntry[],
): Array<MessageInitShape<typeof AttributeDefinitionSchema>> {
  return entries.map(({ name, type, required, allowedValues, min, max, personal, description }) => ({
    name,
    type: Type[type],
    required,
    personal,
    description,
    allowedValues: hasTexts(type) ? allowedValues : [],
    ...(type === 'NUMBER' && min !== '' && { min }),
    ...(type === 'NUMBER' && max !== '' && { max }),
  }));
}

/** As in the proto, for words that say the form. */
const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Finds rows with a name that has the wrong form or with contradicting bounds. The service's own checks decide. */
export function useAttributeCheck(): (entries: readonly AttributeEntry[]) => Record<string, string | undefined> {
  const t = useTranslations('attributes');
  const rules = useTranslations('rules');
  return (entries) =>
    Object.fromEntries(
      entries.flatMap(({ name, type, min, max }, index) => [
        [`attributes.${index}.name`, name === '' ? rules('required') : NAME.test(name) ? undefined : t('nameFault')],
        [
          `attributes.${index}.max`,
          type === 'NUMBER' && min !== '' && max !== '' && min > max ? t('maxBelowMin') : undefined,
        ],
      ]),
    );
}
