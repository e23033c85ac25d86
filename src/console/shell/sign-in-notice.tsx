import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Alert } from '@mantine/core';
import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useSession } from '../session/session-context.tsx';

/** The storage key of the last closed notice in this tab. */
const SEEN = 'laurel.told-of-failed-sign-ins';

/** Reports failed sign-ins with the user's e-mail since the previous sign-in, until the user closes the notice. */
export function SignInNotice() {
  const t = useTranslations('shell.failedSignIns');
  const format = useFormatter();
  const { user } = useSession();
  const [seen, setSeen] = useState(() => sessionStorage.getItem(SEEN));
  if (user === undefined || user.failedSignIns === 0) return null;
  const { id, failedSignIns: count, lastSignedInAt } = user;
  const what = `${id} ${lastSignedInAt?.seconds ?? ''} ${count}`;
  if (seen === what) return null;

  function close(): void {
    sessionStorage.setItem(SEEN, what);
    setSeen(what);
  }

  return (
    <Alert
      color="yellow"
      icon={<ShieldAlert size={18} />}
      title={t('title', { count })}
      role="status"
      withCloseButton
      closeButtonLabel={t('close')}
      onClose={close}
      mb="md"
    >
      {lastSignedInAt ? t('since', { time: format.dateTime(timestampDate(lastSignedInAt), 'moment') }) : ''} {t('hint')}
    </Alert>
  );
}
