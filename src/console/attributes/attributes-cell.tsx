import { Anchor, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useFormatter, useTranslations } from 'use-intl';
import type { AttributeDefinition } from '../../../gen/laurel/v1/attribute_pb.ts';
import { AttributeList } from './attribute-list.tsx';

/** As many names as a cell shows. */
const NAMED = 3;

/** The names of declared attributes; they open the details, which everybody may read. */
export function AttributesCell(props: {
  readonly attributes: readonly AttributeDefinition[];
  /** The title of the details. */
  readonly title: string;
}) {
  const t = useTranslations('attributes');
  const form = useTranslations('form');
  const format = useFormatter();
  const [opened, { open, close }] = useDisclosure(false);
  const { attributes } = props;
  const names = attributes.slice(0, NAMED).map(({ name }) => name);
  const more = attributes.length - names.length;
  return (
    <>
      <Anchor component="button" type="button" inherit ta="start" onClick={open}>
        {format.list(more > 0 ? [...names, t('more', { count: more })] : names)}
      </Anchor>
      {opened && (
        <Modal opened onClose={close} title={props.title} size="lg" closeButtonProps={{ 'aria-label': form('close') }}>
          <AttributeList attributes={attributes} />
        </Modal>
      )}
    </>
  );
}
