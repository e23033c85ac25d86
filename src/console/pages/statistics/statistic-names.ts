/** The sources, aggregations and periods in the order of the forms. */
export const sources = ['EVENTS', 'POINTS', 'MISSIONS'] as const;
export const aggregations = ['COUNT', 'SUM', 'MAX', 'LAST', 'DAYS'] as const;
export const periods = ['ALL_TIME', 'DAY', 'WEEK', 'MONTH', 'YEAR'] as const;

/** The aggregation of the sources that have one only. */
export const aggregationOf = { POINTS: 'SUM', MISSIONS: 'COUNT' } as const;

/** The name of a source, an aggregation or a period. */
export type Source = (typeof sources)[number];
export type Aggregation = (typeof aggregations)[number];
export type Period = (typeof periods)[number];
