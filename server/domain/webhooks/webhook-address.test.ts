import { describe, expect, it } from 'vitest'
import { addressKind, addressProblem, mayReceive } from './webhook-address.ts'

describe('resolved addresses', () => {
  it.each([
    [
      'public',
      '8.8.8.8',
      '172.15.255.255',
      '172.32.0.0',
      '100.63.255.255',
      '2606:4700::1',
      '::ffff:8.8.8.8',
    ],
    ['loopback', '127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'],
    [
      'private',
      '10.1.2.3',
      '172.16.0.0',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '255.255.255.255',
      '224.0.0.1',
      '::',
      'fe80::1',
      'fd00::1',
      'ff02::1',
      '2001:db8::1',
      '2002:7f00:1::',
      '64:ff9b::7f00:1',
      '::7f00:1',
      '::ffff:10.0.0.1',
      'not an address',
    ],
  ] as const)('are %s', (kind, ...addresses) => {
    for (const address of addresses) expect(addressKind(address), address).toBe(kind)
  })

  it('receive plain http on this computer only, and https there only when allowed', () => {
    expect(mayReceive('http:', '127.0.0.1', true)).toBe(true)
    expect(mayReceive('http:', '8.8.8.8', true)).toBe(false)
    expect(mayReceive('https:', '8.8.8.8', false)).toBe(true)
    expect(mayReceive('https:', '127.0.0.1', false)).toBe(false)
    expect(mayReceive('https:', '10.0.0.1', true)).toBe(false)
  })
})

describe('a receiver’s URL', () => {
  const allowed = [
    'https://shop.example/hooks',
    'http://127.0.0.1:9000/x',
    'http://localhost:9000',
    'http://[::1]:9000/',
    'https://8.8.8.8/',
    'http://0x7f.1/',
  ]
  it.each(allowed)('can be %s', (url) => expect(addressProblem(url, true)).toBeNull())

  it.each([
    'http://shop.example/',
    'http://8.8.8.8/',
    'https://10.0.0.1/',
    'https://[fd00::1]/',
    'http://2130706434.example/',
    'https://u:p@shop.example/',
    'https://0xa.1/',
  ])("can't be %s", (url) => expect(addressProblem(url, true)).toMatch(/^must /))

  it.each(['http://127.0.0.1/', 'https://localhost/', 'https://[::1]/', 'https://a.localhost/'])(
    "can't be %s when other computers can call the service",
    (url) => {
      expect(addressProblem(url, false)).toMatch(/^must /)
    },
  )
})
