import { BlockList, isIPv4, isIPv6 } from 'node:net'

const mapped = new BlockList()
mapped.addSubnet('::ffff:0:0', 96, 'ipv6')

/** Whether an entry is an IPv4-mapped IPv6 address, or a block within that range. */
const isMapped = (address: string, bits: string | undefined): boolean =>
  mapped.check(address, 'ipv6') && Number(bits ?? 128) >= 96

/**
 * Returns a test of addresses against a list of IPv4 and IPv6 addresses and CIDR blocks (Partner
 * API, Authentication rule 5). An empty list admits every address; a malformed entry admits none.
 * IPv4-mapped IPv6 addresses count as IPv4. Each family has its own `BlockList`, because one shared
 * list would match every IPv4 address against `::/0`.
 */
export function allowlist(entries: readonly string[]): (address: string) => boolean {
  if (entries.length === 0) return () => true
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : null
    if (family === null) continue
    const list = family === 'ipv6' && !isMapped(address, bits) ? lists.ipv6 : lists.ipv4
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
    const family = isIPv4(plain) ? 'ipv4' : 'ipv6'
    return lists[family].check(plain, family)
  }
}
