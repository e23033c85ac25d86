import { Laurel, type LaurelOptions } from '../../packages/typescript/src/index.ts';
import { UsageError } from '../kernel/usage-error.ts';
import { checkedUrl } from './checked-url.ts';
import { type Profile, readProfiles } from './profiles.ts';

/** The options that say which service is called. */
export type Connection = { readonly url?: string | undefined; readonly profile?: string | undefined };

/** The client of a service. Address and key come from the same place, so that no key is sent to another address. */
export async function connect(connection: Connection, options: LaurelOptions = {}): Promise<Laurel> {
  const { url, key } = await serviceOf(connection, process.env);
  return new Laurel({ ...options, url, key });
}

/** The address of a service, from the same places as with a key. */
export async function addressOf({ url, profile }: Connection, env: NodeJS.ProcessEnv): Promise<string> {
  return (await serviceOf({ url, profile }, { ...env, LAUREL_KEY: env['LAUREL_KEY'] || 'none' })).url;
}

/**
 * The address and key of a service, from the first of these: `--profile`, `--url`, LAUREL_PROFILE, LAUREL_URL, the profile `default`. An
 * address without a profile has its key in LAUREL_KEY.
 * @throws UsageError without both
 */
export async function serviceOf({ url, profile }: Connection, env: NodeJS.ProcessEnv): Promise<Profile> {
  if (url !== undefined && profile !== undefined) {
    throw new UsageError('Send --url or --profile: the key of a profile is sent to the address of the profile only.');
  }
  const name = profile ?? (url === undefined ? env['LAUREL_PROFILE'] : undefined);
  if (name) return profileOf(name);
  const address = url ?? env['LAUREL_URL'];
  if (!address) return profileOf('default');
  const { LAUREL_KEY: key } = env;
  if (!key) throw new UsageError(`There is no key for ${address}: set LAUREL_KEY, or use a profile.`);
  return { url: checkedUrl(address), key };
}

async function profileOf(name: string): Promise<Profile> {
  const found = (await readProfiles())[name];
  if (found !== undefined) return found;
  throw new UsageError(
    name === 'default'
      ? 'No service is named: set LAUREL_URL and LAUREL_KEY, or store a profile by `laurel profiles set default --url URL`.'
      : `There is no profile '${name}': \`laurel profiles list\` prints those that there are.`,
  );
}
