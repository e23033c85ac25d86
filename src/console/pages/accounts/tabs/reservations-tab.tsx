import { ReservationTable } from '../../marketplace/reservation-table.tsx';

/** Units that are or were held back for the account. */
export function ReservationsTab({ accountId }: { readonly accountId: string }) {
  return <ReservationTable accountId={accountId} />;
}
