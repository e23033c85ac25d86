import { Menu, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** An entry of a menu; a reason against it disables it and appears below its text. */
export function MenuAction(props: {
  readonly icon: ReactNode;
  readonly color?: string;
  /** The reason for which the service would refuse it now; undefined without one. */
  readonly unavailable: string | undefined;
  readonly onClick: () => void;
  readonly children: string;
}) {
  const { unavailable } = props;
  return (
    <Menu.Item
      color={props.color}
      leftSection={props.icon}
      disabled={unavailable !== undefined}
      onClick={props.onClick}
    >
      {props.children}
      {unavailable !== undefined && (
        <Text size="xs" maw={240} style={{ textWrap: 'pretty' }}>
          {unavailable}
        </Text>
      )}
    </Menu.Item>
  );
}
