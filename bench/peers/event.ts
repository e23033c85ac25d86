/** An event as the peers take it: the same body as ours. */
export type Trigger = {
  readonly programmaticCode: string;
  readonly accountId: string;
  readonly operationId: string;
  readonly metadata?: { readonly amount?: number };
};

/** What they answer, in the shape of ours. */
export type TriggerAnswer = {
  readonly progressedMissions: readonly ProgressedMission[];
  readonly rewards: readonly never[];
};

/** One mission that an event has moved. */
export type ProgressedMission = {
  readonly missionId: string;
  readonly name: string;
  readonly previousProgress: number;
  readonly progress: number;
  readonly target: number;
  readonly status: string;
};

/** A mission as the peers keep it in memory. */
export type Mission = { readonly id: string; readonly name: string };

/** The one mission of the game, by the code of the event that moves it. */
export const missions: ReadonlyMap<string, Mission> = new Map([
  ['LOGIN', { id: '7d9f0a52-6f0e-4c9b-9f0c-2b7c51a90001', name: 'Log in often' }],
]);

/** How far an assignment is. */
export type Progress = { readonly progress: number; readonly target: number };

/** The rule: an occurrence counts one, an amount itself, and never beyond the target. */
export function progressed(before: Progress, trigger: Trigger): { progress: number; status: string } {
  const progress = Math.min(before.target, before.progress + (trigger.metadata?.amount ?? 1));
  return { progress, status: progress === before.target ? 'COMPLETED' : 'ACTIVE' };
}
