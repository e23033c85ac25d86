import { useEffect } from 'react';
import { useSessionKeeper } from '../../session/session-context.tsx';
import { SignInForms } from './sign-in-forms.tsx';

/** The sign-in form over open pages after the end of their session. Afterwards the pages continue. */
export function SignInAgain() {
  const keeper = useSessionKeeper();
  useEffect(() => {
    // A sign-in by a provider happens in another tab, which shares its cookie with this one.
    const tryAgain = () => void keeper.renew();
    window.addEventListener('focus', tryAgain);
    return () => window.removeEventListener('focus', tryAgain);
  }, [keeper]);
  return <SignInForms next="/" again />;
}
