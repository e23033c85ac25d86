import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends a test run with one plain line, `N passed, N failed`, for tools that do not know vitest. A file that could not be loaded, a failed
 * hook and an error outside every test also count as failures, because no test reports them.
 */
export const plainTotals: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const states = modules.flatMap(statesOf);
    const count = (state: string): number => states.filter((each) => each === state).length;
    const failed = count('failed') + modules.flatMap(errorsOutsideTests).length + unhandledErrors.length;
    const skipped = count('skipped') + count('pending');
    console.log(`${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  },
};

function statesOf(module: TestModule): string[] {
  return [...module.children.allTests()].map((test) => test.result().state);
}

function errorsOutsideTests(module: TestModule): unknown[] {
  return [module, ...module.children.allSuites()].flatMap((part) => part.errors());
}
