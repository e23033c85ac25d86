import { Navigate, useSearchParams } from 'react-router';
import { useSessionState } from '../../session/session-context.tsx';
import { nextPath } from '../../session/sign-in-path.ts';
import { SignInForms } from './sign-in-forms.tsx';

/** The sign-in page: e-mail and password, or a provider. Afterwards it opens the requested page. */
export function SignIn() {
  const [query, setQuery] = useSearchParams();
  const state = useSessionState();
  if (state.kind === 'signedIn') return <Navigate to={nextPath(query)} replace />;
  const goBack = () =>
    setQuery((present) => {
      present.delete('choose');
      return present;
    });
  return (
    <SignInForms
      next={nextPath(query)}
      failure={query.get('signInError') ?? undefined}
      onChosen={query.has('choose') ? goBack : undefined}
    />
  );
}
