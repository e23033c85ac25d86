import { Button, type ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { download } from '../api/download.ts';
import { useSessionKeeper } from '../session/session-context.tsx';

/** Fetches a CSV file of the service. A notification shows a failure. */
export function DownloadButton({
  path,
  fileName,
  children,
  ...button
}: ButtonProps & {
  /** The REST path with its query. */
  readonly path: string;
  readonly fileName: string;
  readonly children: ReactNode;
}) {
  const keeper = useSessionKeeper();
  const fetching = useMutation({ mutationFn: () => download(keeper, path, fileName) });
  return (
    <Button
      variant="default"
      leftSection={<Download size={16} aria-hidden />}
      loading={fetching.isPending}
      onClick={() => fetching.mutate()}
      {...button}
    >
      {children}
    </Button>
  );
}
