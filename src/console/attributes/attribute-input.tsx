import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { MultiSelect, NumberInput, Select, TagsInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { AttributeDefinition } from '../../../gen/laurel/v1/attribute_pb.ts';
import { isMoment, localTimeOf, momentOf } from '../form/local-time.ts';
import { TimeField } from '../form/time-field.tsx';
import { usePreferences } from '../language/preferences.ts';
import { type AttributeTypeName, typeNameOf } from './attribute-entries.ts';
import type { AttributeInput as Value } from './attribute-inputs.ts';

type InputProps = {
  readonly attribute: AttributeDefinition;
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
  readonly error?: ReactNode;
};

/** The control for a value of a declared attribute. */
export function AttributeInput(props: InputProps) {
  const Input = inputs[typeNameOf(props.attribute)];
  return <Input {...props} />;
}

const inputs: Readonly<Record<AttributeTypeName, (props: InputProps) => ReactNode>> = {
  STRING(props) {
    const { attribute, onChange } = props;
    const text = typeof props.value === 'string' ? props.value : '';
    if (attribute.allowedValues.length === 0) {
      return (
        <TextInput {...commonOf(props)} value={text} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
      );
    }
    return (
      <Select
        {...commonOf(props)}
        data={attribute.allowedValues}
        value={text === '' ? null : text}
        onChange={(value) => onChange(value ?? undefined)}
        clearable
      />
    );
  },

  NUMBER(props) {
    const number = typeof props.value === 'number' || typeof props.value === 'string' ? props.value : '';
    return <NumberInput {...commonOf(props)} decimalScale={4} value={number} onChange={props.onChange} />;
  },

  BOOLEAN(props) {
    const t = useTranslations('attributes');
    return (
      <Select
        {...commonOf(props)}
        data={[
          { value: 'true', label: t('yes') },
          { value: 'false', label: t('no') },
        ]}
        value={typeof props.value === 'boolean' ? String(props.value) : null}
        onChange={(value) => props.onChange(value === null ? undefined : value === 'true')}
        clearable
      />
    );
  },

  TIMESTAMP(props) {
    const { timeZone } = usePreferences();
    const stored = typeof props.value === 'string' && isMoment(props.value) ? new Date(props.value) : undefined;
    return (
      <TimeField
        {...commonOf(props)}
        value={localTimeOf(stored && timestampFromDate(stored), timeZone)}
        onChange={({ currentTarget }) => {
          const moment = momentOf(currentTarget.value, timeZone);
          props.onChange(moment && timestampDate(moment).toISOString());
        }}
      />
    );
  },

  STRING_LIST(props) {
    const texts = Array.isArray(props.value) ? props.value : [];
    const { allowedValues } = props.attribute;
    const common = { ...commonOf(props), value: texts, onChange: props.onChange };
    return allowedValues.length === 0 ? (
      <TagsInput {...common} acceptValueOnBlur />
    ) : (
      <MultiSelect {...common} data={allowedValues} />
    );
  },
};

function commonOf({ attribute: { name, description, required }, error }: InputProps) {
  return { label: name, description: description === '' ? undefined : description, withAsterisk: required, error };
}
