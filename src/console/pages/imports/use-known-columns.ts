import { useFormatter, useTranslations } from 'use-intl';
import type { AttributeDefinition } from '../../../../gen/laurel/v1/attribute_pb.ts';
import { typeNameOf } from '../../attributes/attribute-entries.ts';
import { useDeclaredAttributes } from '../../attributes/use-account-attributes.ts';
import type { KnownColumn } from './file-field.tsx';
import { importColumns, type FormTypeName } from './import-types.ts';

/** As many allowed values as a hint lists. */
const LISTED_MAX = 5;

/** The columns that the service reads of a type of files; undefined until the declared attributes are loaded. */
export function useKnownColumns(type: FormTypeName): readonly KnownColumn[] | undefined {
  const columns = useTranslations('imports.columns');
  const forms = useTranslations('imports.attributeForms');
  const format = useFormatter();
  const declared = useDeclaredAttributes();
  const fixed = importColumns[type].map((name) => ({ name, hint: columns(name) }));
  if (type !== 'ACCOUNTS') return fixed;
  return declared && [...fixed, ...declared.map(columnOf)];

  function columnOf(attribute: AttributeDefinition): KnownColumn {
    const { name, allowedValues } = attribute;
    const typeName = typeNameOf(attribute);
    const areListed = typeName === 'STRING' && allowedValues.length > 0 && allowedValues.length <= LISTED_MAX;
    const hint = areListed ? format.list(allowedValues, { type: 'disjunction' }) : forms(typeName);
    return { name: `attributes.${name}`, hint };
  }
}
