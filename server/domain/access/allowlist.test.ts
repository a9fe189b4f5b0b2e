import { describe, expect, it } from 'vitest'
import { allowlist } from './allowlist.ts'

describe('an allowlist', () => {
  it('admits addresses and blocks of both families', () => {
    const allows = allowlist(['10.1.0.0/16', '192.0.2.7', '2001:db8::/32', '::1'])
    for (const address of ['10.1.255.1', '192.0.2.7', '2001:db8:1::9', '::1', '::ffff:10.1.2.3'])
      expect([address, allows(address)]).toEqual([address, true])
    for (const address of ['10.2.0.1', '192.0.2.8', '2001:db9::1', '::2', '::ffff:10.2.0.1'])
      expect([address, allows(address)]).toEqual([address, false])
  })

  it('keeps the two address families apart', () => {
    expect(allowlist(['::/0'])('10.0.0.1')).toBe(false)
    expect(allowlist(['::/0'])('2001:db8::1')).toBe(true)
    expect(allowlist(['0.0.0.0/0'])('2001:db8::1')).toBe(false)
    expect(allowlist(['::ffff:10.0.0.0/104'])('10.9.0.1')).toBe(true)
    expect(allowlist(['::ffff:a00:1'])('10.0.0.1')).toBe(true)
  })

  it('counts an IPv4-mapped address as IPv4, whatever its digits', () => {
    const allows = allowlist(['203.0.113.254', '198.151.100.17'])
    expect(allows('::ffff:203.0.113.254')).toBe(true)
    expect(allows('::FFFF:198.151.100.17')).toBe(true)
    expect(allows('::ffff:198.151.100.1')).toBe(false)
    expect(allowlist(['::ffff:0:0/96'])('10.0.0.1')).toBe(true)
    // A larger block is one of IPv6 addresses.
    expect(allowlist(['::ffff:0:0/95'])('::fffe:0:1')).toBe(true)
    expect(allowlist(['::ffff:0:0/95'])('10.0.0.1')).toBe(false)
  })

  it('admits none for a malformed entry, and still the other entries', () => {
    const allows = allowlist(['nonsense', '/8', '192.0.2.7'])
    expect(allows('192.0.2.7')).toBe(true)
    expect(allows('10.0.0.1')).toBe(false)
  })

  it('admits every address when it is empty', () => {
    expect(allowlist([])('203.0.113.9')).toBe(true)
  })
})
