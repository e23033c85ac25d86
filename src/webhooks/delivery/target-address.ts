// The ranges of ipaddr.js, which the second check uses (target-agents.ts), treat `::7f00:1` and all unassigned addresses as public:
// docs/decisions/0042-what-stays-ours.md.
import { BlockList, isIP } from 'node:net';

/**
 * Addresses that no public receiver has, from the IANA special-purpose registries; BlockList applies the IPv4 rows to their IPv4-mapped
 * IPv6 spellings too. The last one is a public number, but belongs to Azure's host agent.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
] as const;

/** Within global unicast: protocol assignments with Teredo, documentation, 6to4, which reaches any IPv4 address. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] as const;

/** The only range with assigned public IPv6 addresses: all others are refused. */
const GLOBAL_UNICAST = blockListOf(['2000::/3'], 'ipv6');

const specialIpv4 = blockListOf(SPECIAL_IPV4, 'ipv4');
const specialIpv6 = blockListOf(SPECIAL_IPV6, 'ipv6');

/** Whether an IP address belongs to the machine itself, to a private network or to no receiver at all. */
export function isSpecialAddress(address: string): boolean {
  if (isIP(address) === 4) return specialIpv4.check(address, 'ipv4');
  return !GLOBAL_UNICAST.check(address, 'ipv6') || specialIpv6.check(address, 'ipv6');
}

/**
 * Whether the host of a URL is such an address, without a DNS look-up. `URL` has already turned every other spelling
 * (octal, hexadecimal, one number, full-width digits) into the plain one.
 */
export function namesSpecialAddress(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host) !== 0) return isSpecialAddress(host);
  return host === 'localhost' || host.endsWith('.localhost');
}

function blockListOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
