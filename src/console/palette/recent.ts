import type { LucideIcon } from 'lucide-react';

/** A page or resource that the palette offers. */
export type Choice = {
  /** Unique among all that is offered. */
  readonly key: string;
  readonly title: string;
  readonly hint?: string | undefined;
  readonly path: string;
  readonly icon: LucideIcon;
};

/** Choices that are kept. */
const KEPT = 6;

let owner = '';
let choices: readonly Choice[] = [];

/**
 * The recently opened results, the latest first. They are kept in memory only, because names may be about people;
 * another person or client starts empty.
 */
export function recentChoices(of: string): readonly Choice[] {
  if (of !== owner) [owner, choices] = [of, []];
  return choices;
}

/** Remembers a choice. */
export function rememberChoice(of: string, choice: Choice): void {
  choices = [choice, ...recentChoices(of).filter(({ key }) => key !== choice.key)].slice(0, KEPT);
}
