/** Languages of what is sent. */
export type AlertLanguage = 'EN' | 'ES';
