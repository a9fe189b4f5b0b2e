/**
 * Decides where events may be sent. Addresses in networks that only the service can reach are
 * excluded.
 */
import { BlockList, isIP, isIPv4 } from 'node:net'

export type AddressKind = 'public' | 'loopback' | 'private'

/** IPv4 ranges that aren't globally reachable (IANA special-purpose registry), except loopback. */
const special: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
const private4 = new BlockList()
for (const [net, prefix] of special) private4.addSubnet(net, prefix, 'ipv4')

const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
/**
 * Parts of the global range that lead elsewhere: protocol assignments including Teredo,
 * documentation, 6to4.
 */
const private6 = new BlockList()
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  private6.addSubnet(net, prefix, 'ipv6')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')
const mapped = new BlockList()
mapped.addSubnet('::ffff:0:0', 96, 'ipv6')

/**
 * Classifies an IPv4 or IPv6 address. Text that is no address counts as private. IPv4-mapped IPv6
 * is classified as IPv4.
 */
export function addressKind(address: string): AddressKind {
  if (isIPv4(address))
    return loopback.check(address, 'ipv4')
      ? 'loopback'
      : private4.check(address, 'ipv4')
        ? 'private'
        : 'public'
  if (isIP(address) === 0) return 'private'
  if (loopback.check(address, 'ipv6')) return 'loopback'
  if (mapped.check(address, 'ipv6')) return private4.check(address, 'ipv6') ? 'private' : 'public'
  return global6.check(address, 'ipv6') && !private6.check(address, 'ipv6') ? 'public' : 'private'
}

/**
 * Whether an event may be sent to an address: https to any public address, and http or https to
 * this computer where that is allowed.
 */
export function mayReceive(protocol: string, address: string, loopbackAllowed: boolean): boolean {
  const kind = addressKind(address)
  return kind === 'loopback' ? loopbackAllowed : kind === 'public' && protocol === 'https:'
}

/** A URL's host without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/**
 * The problem with a receiver's URL that its text alone reveals, or null. A host name is checked
 * when it is resolved.
 */
export function addressProblem(text: string, loopbackAllowed: boolean): string | null {
  const url = new URL(text)
  const host = hostOf(url)
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password'
  const local = host === 'localhost' || host.endsWith('.localhost')
  if (isIP(host) !== 0 || local) {
    return mayReceive(url.protocol, local ? '127.0.0.1' : host, loopbackAllowed)
      ? null
      : 'must be an https address that can be reached from outside'
  }
  return url.protocol === 'https:' ? null : 'must be an https address'
}
