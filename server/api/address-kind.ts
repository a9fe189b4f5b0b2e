/**
 * Which addresses are on the public internet, for the service's webhooks and the console's pictures.
 * Pure: its user passes Node's own address functions.
 */

export type AddressKind = 'public' | 'loopback' | 'private'

type Family = 'ipv4' | 'ipv6'
type Ranges = {
  addSubnet(net: string, prefix: number, family: Family): void
  addAddress(address: string, family: Family): void
  check(address: string, family: Family): boolean
}
/** What is needed of `node:net`. */
type AddressFunctions = {
  BlockList: new () => Ranges
  isIP(text: string): number
  isIPv4(text: string): boolean
}

/** IPv4 ranges that aren't globally reachable (IANA special-purpose registry), except loopback. */
const SPECIAL_4: readonly (readonly [string, number])[] = [
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
/**
 * Parts of the global IPv6 range that lead elsewhere: protocol assignments including Teredo,
 * documentation, 6to4.
 */
const SPECIAL_6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

/**
 * Classifies an IPv4 or IPv6 address. Text that is no address counts as private. IPv4-mapped IPv6
 * is classified as IPv4.
 */
export function createAddressKind({
  BlockList,
  isIP,
  isIPv4,
}: AddressFunctions): (address: string) => AddressKind {
  const rangesOf = (nets: readonly (readonly [string, number])[], family: Family): Ranges => {
    const ranges = new BlockList()
    for (const [net, prefix] of nets) ranges.addSubnet(net, prefix, family)
    return ranges
  }
  const private4 = rangesOf(SPECIAL_4, 'ipv4')
  const private6 = rangesOf(SPECIAL_6, 'ipv6')
  const global6 = rangesOf([['2000::', 3]], 'ipv6')
  const mapped = rangesOf([['::ffff:0:0', 96]], 'ipv6')
  const loopback = rangesOf([['127.0.0.0', 8]], 'ipv4')
  loopback.addAddress('::1', 'ipv6')
  return (address) => {
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
}
