import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take a minute, then folders whose files take half a minute; shorter files fill the gaps at the end. */
const LONGEST = [
  /every-(page|dialog)\.test|backup\/broken|killing-event/,
  /test\/(faults|console|backup|plans|commands)\//,
];

/** Starts the longest files first: at the end, one of them would leave the other workers idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const index = LONGEST.findIndex((pattern) => pattern.test(moduleId));
  return index === -1 ? LONGEST.length : index;
}
