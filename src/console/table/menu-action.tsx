import { Menu, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** An entry of a menu that cannot be chosen while there is a reason against it, which stands below its words. */
export function MenuAction(props: {
  readonly icon: ReactNode;
  readonly color?: string;
  /** Why the service would refuse it now; undefined where it would not. */
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
