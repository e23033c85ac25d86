import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { ChevronLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import { StaleNotice } from '../feedback/stale-notice.tsx';
import { CopyId } from './copy-id.tsx';

/** The frame of one page: its heading, purpose and actions. */
export function Page(props: {
  readonly title: ReactNode;
  /** The title of the browser's tab; by default the title, if that is text. */
  readonly tabTitle?: string;
  /** The purpose of the page, in one sentence. */
  readonly description?: ReactNode;
  /** The id of the page's resource, for copying. */
  readonly id?: string;
  /** Buttons at the right of the heading. */
  readonly actions?: ReactNode;
  /** The page above this one. */
  readonly back?: { readonly to: string; readonly label: string };
  /** Widest in pixels; forms are read better when they are narrow. */
  readonly width?: number;
  readonly children: ReactNode;
}) {
  const tabTitle = props.tabTitle ?? (typeof props.title === 'string' ? props.title : undefined);
  useEffect(() => {
    document.title = tabTitle === undefined ? 'Laurel' : `${tabTitle} · Laurel`;
  }, [tabTitle]);
  return (
    <Stack gap="lg" maw={props.width ?? 1240} mx="auto">
      <div>
        {props.back && (
          <Anchor component={Link} to={props.back.to} size="sm" mb={6} display="inline-flex" c="dimmed">
            <Group gap={2} component="span">
              <ChevronLeft size={16} aria-hidden />
              {props.back.label}
            </Group>
          </Anchor>
        )}
        <Group justify="space-between" align="flex-start" gap="md">
          <Stack gap={4} flex={1} miw={{ base: '100%', xs: 220 }}>
            <Title order={1}>{props.title}</Title>
            {props.description !== undefined && (
              <Text c="dimmed" size="sm" maw={680} style={{ textWrap: 'pretty' }}>
                {props.description}
              </Text>
            )}
            {props.id !== undefined && <CopyId id={props.id} />}
          </Stack>
          {props.actions && <Group gap="sm">{props.actions}</Group>}
        </Group>
      </div>
      <StaleNotice />
      {props.children}
    </Stack>
  );
}
