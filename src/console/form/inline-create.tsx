import type { ComponentType } from 'react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { useAllowed } from '../session/allowed.tsx';

/** The creation of a missing row inside a select. */
export type InlineCreate = {
  /** The permission without which it is not offered. */
  readonly needs: Permission;
  /** The dialog that creates it; `onMade` receives the field's value. */
  readonly form: ComponentType<{
    readonly onClose: () => void;
    readonly name?: string;
    readonly onMade?: (value: string) => void;
  }>;
};

/** The value of the choice that creates a row; no row has it. */
const CREATE_VALUE = '\u0000make';

/** Offers to create the typed name, at the end of a select's choices. */
export function useInlineCreate(make: InlineCreate | undefined, typed: string, onMade: (value: string) => void) {
  const t = useTranslations('form');
  const may = useAllowed();
  const [name, setName] = useState<string>();
  const offered = make !== undefined && may(make.needs);
  const wanted = typed.trim();
  const Form = make?.form;
  return {
    /** The additional choices. */
    choices: offered
      ? [{ value: CREATE_VALUE, label: wanted === '' ? t('makeNew') : t('make', { name: wanted }) }]
      : [],
    isMake: (value: string | null | undefined) => value === CREATE_VALUE,
    open: () => setName(wanted),
    dialog: Form !== undefined && name !== undefined && (
      // React passes the submit event of a dialog on to the surrounding form.
      <div onSubmit={(event) => event.stopPropagation()}>
        <Form name={name} onClose={() => setName(undefined)} onMade={onMade} />
      </div>
    ),
  };
}
