import { Anchor, Box, Button, Group, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import classes from './editor.module.css';
import type { Missing } from './use-missing.ts';

/** The maximum of named fields; the bar must leave room for the form on a phone. */
const NAMED = 3;

/** The bar at the bottom of a long form: links to missing fields, and the buttons. */
export function EditorBar(props: {
  /** The service's refusal, if any. */
  readonly failure: ReactNode;
  readonly missing: readonly Missing[];
  readonly onGoTo: (path: string) => void;
  readonly submit: string;
  readonly pending: boolean;
  readonly onCancel: () => void;
}) {
  const t = useTranslations('campaigns.bar');
  const form = useTranslations('form');
  const { missing } = props;
  const named = missing.slice(0, NAMED);
  return (
    <Box className={classes['bar']} role="group" aria-label={t('label')}>
      {props.failure}
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex={1} miw={200} aria-live="polite" c={missing.length === 0 ? 'dimmed' : undefined}>
          {t('missing', { count: missing.length })}
          {named.map(({ path, words }, index) => (
            <Fragment key={path}>
              {index === 0 ? ' ' : ', '}
              <Anchor
                component="button"
                type="button"
                size="sm"
                ta="start"
                onClick={() => props.onGoTo(path)}
                underline="always"
              >
                {words}
              </Anchor>
            </Fragment>
          ))}
          {missing.length > NAMED && ` ${t('more', { count: missing.length - NAMED })}`}
        </Text>
        <Group gap="sm">
          <Button variant="default" onClick={props.onCancel}>
            {form('cancel')}
          </Button>
          <Button type="submit" loading={props.pending}>
            {props.submit}
          </Button>
        </Group>
      </Group>
    </Box>
  );
}
