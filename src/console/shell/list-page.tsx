import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type LucideIcon, Plus } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { EmptyState } from '../feedback/empty-state.tsx';
import type { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { Allowed } from '../session/may.tsx';
import { Page } from './page.tsx';

/** A page that lists what there is and creates more of it: by a button beside the heading, and by the same one while there is nothing. */
export function ListPage(props: {
  readonly title: string;
  /** Of the browser's tab, where several lists share a title. */
  readonly tabTitle?: string;
  readonly description: string;
  /** Where several lists share a title: the way to the others. */
  readonly pages?: ReactNode;
  /** The label of the button. */
  readonly create: string;
  /** The permission without which there is no button. */
  readonly needs: Permission;
  /** The form that the button opens. */
  readonly form: ComponentType<{ readonly onClose: () => void }>;
  /** The content of an empty list. */
  readonly empty: { readonly icon: LucideIcon; readonly title: string; readonly hint: string };
  /** The list itself, told what stands there while there is nothing. */
  readonly list: (empty: ReactNode) => ReactNode;
}) {
  // Kept here: where the first one is created, the empty list goes while the form still tells, for example, a new key.
  const [creating, { open, close }] = useDisclosure(false);
  const Form = props.form;
  const button = (
    <Allowed to={props.needs}>
      <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
        {props.create}
      </Button>
    </Allowed>
  );
  return (
    <Page title={props.title} tabTitle={props.tabTitle} description={props.description} actions={button}>
      {props.pages}
      {props.list(<EmptyState {...props.empty} action={button} />)}
      {creating && <Form onClose={close} />}
    </Page>
  );
}
