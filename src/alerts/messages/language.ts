/** The languages of messages. */
export type AlertLanguage = 'EN' | 'ES';
