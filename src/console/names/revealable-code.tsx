import { useMutation } from '@connectrpc/connect-query';
import { ActionIcon, Code, Group, Tooltip } from '@mantine/core';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ProductAdminService } from '../../../gen/laurel/admin/v1/product_admin_service_pb.ts';
import { useAllowed } from '../session/allowed.tsx';
import { Permission } from '../../../gen/laurel/auth/v1/options_pb.ts';

/** A masked code, with a button that shows it in full; the audit log then records the viewer. */
export function RevealableCode({ id, masked }: { readonly id: string | undefined; readonly masked: string }) {
  const t = useTranslations('codes');
  const [code, setCode] = useState<string>();
  const reveal = useMutation(ProductAdminService.method.revealProductCode);
  const may = useAllowed();
  if (id === undefined || id === '' || !may(Permission.REVEAL_CODES)) return <Code>{masked}</Code>;

  function change(): void {
    if (code !== undefined) return setCode(undefined);
    reveal.mutate({ id }, { onSuccess: (answer) => setCode(answer.code) });
  }

  const label = t(code === undefined ? 'reveal' : 'hide', { code: masked });
  return (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      <Code style={{ overflowWrap: 'anywhere' }}>{code ?? masked}</Code>
      <Tooltip label={code === undefined ? t('revealHint') : label}>
        <ActionIcon variant="subtle" color="gray" aria-label={label} loading={reveal.isPending} onClick={change}>
          {code === undefined ? <Eye size={15} /> : <EyeOff size={15} />}
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

/** Codes of one row: the first two; a purchase may have a thousand. */
export function RevealableCodes({
  codes,
}: {
  readonly codes: readonly { readonly id?: string; readonly code: string }[];
}) {
  if (codes.length === 0) return '–';
  return (
    <Group gap="xs" component="span">
      {codes.slice(0, SHOWN).map(({ id, code }) => (
        <RevealableCode key={id ?? code} id={id} masked={code} />
      ))}
      {codes.length > SHOWN && <span>+{codes.length - SHOWN}</span>}
    </Group>
  );
}

const SHOWN = 2;
