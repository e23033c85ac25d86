/** The most characters around a common password that do not make it safe; more may be safe themselves. */
const PADDING = 8;

/** Words that are easy to guess in a password for this service. docs/console-users.md lists them. */
const WORDS_OF_OURS = ['laurel', 'console', 'admin', 'gamification', 'loyalty', 'rewards', 'campaign'];

/** The fewest characters of a password besides words that are easy to guess for a known person. */
const REST_MIN = 8;

/**
 * Whether a password consists of words of this service or of the person's e-mail, and little more.
 * @param email the e-mail of the password's owner
 */
export function isMadeOfKnownWords(password: string, email: string): boolean {
  const words = [...WORDS_OF_OURS, ...email.toLowerCase().split(/[^\p{L}\p{N}]+/u)].filter(({ length }) => length >= 3);
  const plain = password.toLowerCase();
  const rest = words.reduce((left, word) => left.replaceAll(word, ''), plain);
  return rest.length < plain.length && rest.replaceAll(/[^\p{L}\p{N}]/gu, '').length < REST_MIN;
}

/**
 * Whether a password is easy to guess: a common password in any case, with a few digits and signs around it, or a
 * repetition of a common password or of a few characters.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const known = await commonPasswords();
  const plain = password.toLowerCase();
  const core = plain.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const unit = /^(.+?)\1+$/su.exec(plain)?.[1];
  if (unit !== undefined && (unit.length <= 4 || known.has(unit))) return true;
  return known.has(plain) || (known.has(core) && plain.length - core.length <= PADDING);
}

let list: Promise<ReadonlySet<string>> | undefined;

/** Some 50,000 passwords, 5 MB: loaded at the first choice of a password, which most processes never see. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  list ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']));
  return list;
}
