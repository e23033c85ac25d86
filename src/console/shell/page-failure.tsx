import { FailureAlert } from '../feedback/failure-alert.tsx';
import { Page } from './page.tsx';

/** A page whose resource could not be read: it is gone, or the service does not answer. */
export function PageFailure(props: {
  readonly title: string;
  readonly back: { readonly to: string; readonly label: string };
  readonly error: unknown;
  readonly retry: () => void;
}) {
  return (
    <Page title={props.title} back={props.back}>
      <FailureAlert error={props.error} retry={props.retry} />
    </Page>
  );
}
