import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Addresses that aren't on the public internet: this computer, local networks, link-local, tests,
 * multicast, reserved.
 */
const notPublic = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  notPublic.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  notPublic.addSubnet(net, bits, 'ipv6')

const family = (address: string): 'ipv4' | 'ipv6' | null =>
  (({ 4: 'ipv4', 6: 'ipv6' }) as const)[isIP(address)] ?? null
const bare = (address: string): string => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

/** Whether an IP address is this computer's loopback. */
export function isLoopback(address: string): boolean {
  const kind = family(bare(address))
  return kind !== null && loopback.check(bare(address), kind)
}

/** Whether an IP address is on the public internet. */
export function isPublic(address: string): boolean {
  const kind = family(bare(address))
  return kind !== null && !notPublic.check(bare(address), kind)
}

/** Whether the host of a URL is this computer: `localhost` or a loopback address. */
export const isLoopbackHost = (hostname: string): boolean =>
  hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, ''))
