import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type LucideIcon, Plus } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { EmptyState } from '../feedback/empty-state.tsx';
import type { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';
import { Allowed } from '../session/allowed.tsx';
import { Page } from './page.tsx';

/** A page with a list and a button to create an entry: beside the heading, and in the empty list. */
export function ListPage(props: {
  readonly title: string;
  /** The title of the browser's tab, if several lists share a title. */
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
  /** The list, with the content for the empty state. */
  readonly list: (empty: ReactNode) => ReactNode;
}) {
  // The form is kept here: after the first creation the empty list disappears while the form still shows, for example, a new key.
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
