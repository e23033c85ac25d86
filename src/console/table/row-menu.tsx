import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';

/** The menu at the end of a row, for occasional actions. `label` names the row for screen readers. */
export function RowMenu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label}>
          <Ellipsis size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
