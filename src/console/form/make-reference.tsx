import type { ComponentType } from 'react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { useMay } from '../session/may.tsx';

/** How a row that is missing is made where it would be chosen. */
export type Making = {
  /** The permission without which it is not offered. */
  readonly needs: Permission;
  /** The dialog that makes it; `onMade` is told what the field stores. */
  readonly form: ComponentType<{
    readonly onClose: () => void;
    readonly name?: string;
    readonly onMade?: (value: string) => void;
  }>;
};

/** Stands among the choices for making another; no row is called so. */
const MAKE = '\u0000make';

/** Offers to make what was typed, at the end of a select's choices. */
export function useMaking(make: Making | undefined, typed: string, onMade: (value: string) => void) {
  const t = useTranslations('form');
  const may = useMay();
  const [name, setName] = useState<string>();
  const offered = make !== undefined && may(make.needs);
  const wanted = typed.trim();
  const Form = make?.form;
  return {
    /** To be added to the choices. */
    choices: offered ? [{ value: MAKE, label: wanted === '' ? t('makeNew') : t('make', { name: wanted }) }] : [],
    isMake: (value: string | null | undefined) => value === MAKE,
    open: () => setName(wanted),
    dialog: Form !== undefined && name !== undefined && (
      // React hands what is submitted in a dialog on to the form that it is written in.
      <div onSubmit={(event) => event.stopPropagation()}>
        <Form name={name} onClose={() => setName(undefined)} onMade={onMade} />
      </div>
    ),
  };
}
