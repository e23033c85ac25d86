import { useFormatter, useTranslations } from 'use-intl';
import type { AttributeDefinition } from '../../../../gen/laurel/v1/attribute_pb.ts';
import { Permission } from '../../../../gen/laurel/auth/v1/options_pb.ts';
import { typeNameOf } from '../../attributes/attribute-entries.ts';
import { useDeclaredAttributes } from '../../attributes/use-account-attributes.ts';
import { useAllowed } from '../../session/allowed.tsx';
import type { KnownColumn } from './file-field.tsx';
import { useEventAttributes } from './use-event-attributes.ts';
import { importColumns, type ImportTypeName } from './import-types.ts';

/** As many allowed values as a hint lists. */
const LISTED_MAX = 5;

/** The columns that the service reads of a type of files; undefined until the declared attributes are loaded. */
export function useKnownColumns(type: ImportTypeName): readonly KnownColumn[] | undefined {
  const columns = useTranslations('imports.columns');
  const forms = useTranslations('imports.attributeForms');
  const format = useFormatter();
  const ofAccounts = useDeclaredAttributes();
  // Read before somebody chooses them, so that the form is not replaced while they load.
  const ofEvents = useEventAttributes(useAllowed()(Permission.BACKFILL));
  const { required, optional } = importColumns[type];
  const fixed = [
    ...required.map((name) => ({ name, hint: columns(name), required: true })),
    ...optional.map((name) => ({ name, hint: columns(name) })),
  ];
  if (type === 'PRODUCT_CODES') return fixed;
  const declared = type === 'ACCOUNTS' ? ofAccounts : ofEvents;
  return ofAccounts && ofEvents && declared && [...fixed, ...declared.map(columnOf)];

  function columnOf(attribute: AttributeDefinition): KnownColumn {
    const { name, allowedValues } = attribute;
    const typeName = typeNameOf(attribute);
    const areListed = typeName === 'STRING' && allowedValues.length > 0 && allowedValues.length <= LISTED_MAX;
    const hint = areListed ? format.list(allowedValues, { type: 'disjunction' }) : forms(typeName);
    return { name: `attributes.${name}`, hint };
  }
}
