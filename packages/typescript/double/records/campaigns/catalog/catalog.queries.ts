import type { UnitOfWork } from '../../../../../../src/persistence/database.ts';
import { type Row, storeOf } from '../../../store.ts';

export async function* campaignPages(uow: UnitOfWork): AsyncGenerator<Row[]> {
  yield storeOf(uow).rows('campaign');
}

export async function* missionPages(uow: UnitOfWork): AsyncGenerator<Row[]> {
  yield storeOf(uow)
    .rows('mission')
    .filter(({ active }) => active as boolean);
}
