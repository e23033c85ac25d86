import type { UseFormReturnType } from '@mantine/form';
import type { CampaignValues, MissionValues } from './campaign-values.ts';

/** The fields of one mission, at any path of a form. */
export type MissionForm = {
  readonly values: MissionValues;
  /** Binds a field to its input: `name`, or `conditions.timeFrom`. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as in Mantine, an input takes what its field holds.
  readonly getInputProps: (field: string, options?: { withError?: boolean; type?: 'checkbox' }) => any;
};

/** The form of one mission of a campaign; undefined if there is none at this index. */
export function missionFormOf(form: UseFormReturnType<CampaignValues>, index: number): MissionForm | undefined {
  const values = form.values.missions[index];
  if (values === undefined) return undefined;
  return { values, getInputProps: (field, options) => form.getInputProps(`missions.${index}.${field}`, options) };
}
