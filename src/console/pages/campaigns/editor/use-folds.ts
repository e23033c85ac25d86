import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { CampaignValues } from './campaign-values.ts';

/** The part of the editor with the campaign's own fields. */
export const BASICS = 'basics';

/** The part with the conditions of a mission. */
export function conditionsOf(missionKey: string): string {
  return `${missionKey} conditions`;
}

/** The folded parts of the editor; they stay folded during input. */
export type Folds = {
  readonly isOpen: (part: string) => boolean;
  readonly toggle: (part: string) => void;
  /** Unfolds the parts with these fields synchronously, because a hidden field cannot get the focus. */
  readonly reveal: (paths: readonly string[], values: CampaignValues) => void;
};

/** Folds the parts of the editor. Conditions are folded at first, all else is open. */
export function useFolds(): Folds {
  const [opened, setOpened] = useState<Readonly<Record<string, boolean>>>({});
  const isOpen = (part: string) => opened[part] ?? !part.endsWith(conditionsOf(''));
  return {
    isOpen,
    toggle: (part) => setOpened({ ...opened, [part]: !isOpen(part) }),
    reveal(paths, values) {
      const parts = paths.flatMap((path) => partsOf(path, values));
      flushSync(() => setOpened((former) => ({ ...former, ...Object.fromEntries(parts.map((part) => [part, true])) })));
    },
  };
}

function partsOf(path: string, { missions }: CampaignValues): string[] {
  const [list, index, field] = path.split('.');
  if (list !== 'missions') return [BASICS];
  const mission = missions[Number(index)];
  if (index === undefined || mission === undefined) return [];
  return field === 'conditions' ? [mission.key, conditionsOf(mission.key)] : [mission.key];
}
