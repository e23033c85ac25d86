/** An event in the form of the peers: the same body as ours. */
export type Trigger = {
  readonly programmaticCode: string;
  readonly accountId: string;
  readonly operationId: string;
  readonly metadata?: { readonly amount?: number };
};

/** An answer of the peers, in the form of ours. */
export type TriggerAnswer = {
  readonly progressedMissions: readonly ProgressedMission[];
  readonly rewards: readonly never[];
};

/** The progress of one mission by an event. */
export type ProgressedMission = {
  readonly missionId: string;
  readonly name: string;
  readonly previousProgress: number;
  readonly progress: number;
  readonly target: number;
  readonly status: string;
};

/** A mission in the memory of the peers. */
export type Mission = { readonly id: string; readonly name: string };

/** The one mission of the game, by the event code that moves it. */
export const missions: ReadonlyMap<string, Mission> = new Map([
  ['LOGIN', { id: '7d9f0a52-6f0e-4c9b-9f0c-2b7c51a90001', name: 'Log in often' }],
]);

/** The progress and target of an assignment. */
export type Progress = { readonly progress: number; readonly target: number };

/** The rule: an occurrence counts one, an amount counts its value, never beyond the target. */
export function progressed(before: Progress, trigger: Trigger): { progress: number; status: string } {
  const progress = Math.min(before.target, before.progress + (trigger.metadata?.amount ?? 1));
  return { progress, status: progress === before.target ? 'COMPLETED' : 'ACTIVE' };
}
