/**
 * The client's address from the socket (Decision 8): IPv4-mapped IPv6 as IPv4, no zone.
 * X-Forwarded-For is ignored.
 */
export function clientAddress(remoteAddress: string | undefined): string {
  const [bare = ''] = (remoteAddress ?? '').split('%', 1)
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(bare) ? bare.slice(7) : bare
}
