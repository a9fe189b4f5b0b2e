import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * A test of addresses against a list of IPv4 and IPv6 addresses and CIDR blocks (Partner API, Authentication rule 5). An empty
 * list admits every address; an entry that is neither admits none. IPv4-mapped IPv6 addresses count as IPv4.
 */
export function allowlist(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => true
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : null
    if (family === null) continue
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
    return list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
  }
}
