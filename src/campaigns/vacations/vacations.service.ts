import type { VacationService } from '../../../gen/laurel/v1/vacation_service_pb.ts';
import type { Handlers } from '../../clients/call.ts';
import type { Catalogs } from '../catalog/catalog.ts';
import { announceVacations } from './announce-vacations.ts';
import { listVacations } from './list-vacations.ts';

/** The vacations of accounts. */
export function vacationsService(catalogs: Catalogs) {
  return {
    listVacations: (call, request) => listVacations(call, request, catalogs),
    announceVacations: (call, request) => announceVacations(call, request, catalogs),
  } satisfies Handlers<typeof VacationService>;
}
