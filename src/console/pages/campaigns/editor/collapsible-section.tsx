import { Group, Text, UnstyledButton } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';

/** A part of a form that can be put away: folded, it shows a line about its content. Input is kept. */
export function CollapsibleSection(props: {
  readonly title: ReactNode;
  /** Its content, in one line. */
  readonly summary?: string;
  readonly opened: boolean;
  readonly onToggle: () => void;
  /** The heading that the title is; none by default. */
  readonly heading?: 'h2' | 'h3';
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const id = useId();
  const { opened, heading: Heading } = props;
  const Icon = opened ? ChevronDown : ChevronRight;
  const button = (
    <UnstyledButton onClick={props.onToggle} aria-expanded={opened} aria-controls={id} w="100%">
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Icon size={18} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
        <Text component="span" inherit style={{ minWidth: 0 }}>
          {props.title}
        </Text>
      </Group>
    </UnstyledButton>
  );
  return (
    <div>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Text
          component={Heading ?? 'div'}
          fw={Heading === undefined ? 500 : 620}
          fz={sizes[Heading ?? 'div']}
          m={0}
          flex={1}
          miw={160}
        >
          {button}
        </Text>
        {props.actions}
      </Group>
      {!opened && props.summary !== undefined && (
        <Text size="sm" c="dimmed" lineClamp={1} ml={26} mt={2}>
          {props.summary}
        </Text>
      )}
      <div id={id} hidden={!opened} style={{ marginTop: 'var(--mantine-spacing-md)' }}>
        {props.children}
      </div>
    </div>
  );
}

const sizes = { h2: 'lg', h3: 'md', div: 'sm' };
