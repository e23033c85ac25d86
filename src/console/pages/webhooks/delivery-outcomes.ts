/** The names of the outcomes, the good one first. */
export const outcomes = ['DELIVERED', 'REFUSED', 'TIMED_OUT', 'FAILED'] as const;

/** The outcomes of failed attempts. */
export const failures = ['REFUSED', 'TIMED_OUT', 'FAILED'] as const;

/** The same as one value of a table's filter. */
export const anyFailure = failures.join(',');
