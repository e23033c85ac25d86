import type { MessageInitShape } from '@bufbuild/protobuf';
import type { StreakSettings as Message, StreakSettingsSchema } from '../../gen/laurel/admin/v1/client_pb.ts';
import type { UnitOfWork } from '../persistence/database.ts';
import { clientNotFound } from './catalog-version.ts';

/** The settings of streaks for all accounts of a client. */
export type StreakSettings = {
  /** The most freezes that an account keeps; 0 for a client without freezes. */
  readonly freezesMax: number;
  /** The points of one freeze; undefined if they are not sold. */
  readonly freezePrice?: number | undefined;
  /** The hours before the end of a period at which an unkept one is announced; undefined without the webhook. */
  readonly atRiskHours?: number | undefined;
  /** The shortest run that is announced. */
  readonly atRiskLength?: number | undefined;
  /** The most days of a year that an account announces as vacations; 0 or undefined for a client without vacations. */
  readonly vacationDaysMax?: number | undefined;
};

/** The settings of a client that made none. */
export const NO_STREAK_SETTINGS: StreakSettings = { freezesMax: 0 };

/** The settings in a request. */
export function streakSettingsOf({
  freezesMax,
  freezePrice,
  atRiskHours,
  atRiskLength,
  vacationDaysMax,
}: Message): StreakSettings {
  return {
    freezesMax,
    ...(freezePrice !== undefined && { freezePrice }),
    ...(atRiskHours !== undefined && { atRiskHours }),
    ...(atRiskLength !== undefined && { atRiskLength }),
    ...(vacationDaysMax > 0 && { vacationDaysMax }),
  };
}

/** The settings as the API shows them; undefined if none were made. */
export function toStreakSettingsMessage(
  settings: StreakSettings | null | undefined,
): MessageInitShape<typeof StreakSettingsSchema> | undefined {
  return settings ?? undefined;
}

/**
 * The settings of the client.
 * @throws DomainError `CLIENT_NOT_FOUND`
 */
export async function streakSettings(uow: UnitOfWork): Promise<StreakSettings> {
  const [row] = await uow.query<{ settings: StreakSettings | null }>(
    'select streak_settings as settings from client where id = $1',
    [uow.clientId],
  );
  if (row === undefined) throw clientNotFound(uow.clientId);
  return row.settings ?? NO_STREAK_SETTINGS;
}
