import { describe, expect, it } from 'vitest'
import { readOptions } from './options.ts'

describe('readOptions', () => {
  it('reads port, folder and whether to open', () => {
    expect(readOptions(['--port', '4700', '--data', '/somewhere', '--no-open'])).toEqual({
      port: 4700,
      dataDir: '/somewhere',
      open: false,
      window: false,
      service: false,
      quit: false,
      link: null,
    })
    expect(readOptions([])).toMatchObject({ port: 0, open: true })
  })

  it('reads a link as the desktop passes it, and nothing else without an option', () => {
    const link = 'keydesk://open/offers'
    expect(readOptions(['--window', '--', link])).toMatchObject({ window: true, link })
    expect(readOptions(['--window', '--'])).toMatchObject({ window: true, link: null })
    expect(() => readOptions(['/etc/passwd'])).toThrow('neither an option nor a keydesk: link')
    expect(() => readOptions(['--', '--quit'])).toThrow('neither an option nor a keydesk: link')
  })

  it.each(['70000', '-1', 'x', '', '1.5'])('rejects %j as a port', (port) => {
    expect(() => readOptions([`--port=${port}`])).toThrow(/--port must be a number from 0 to 65535/)
  })

  it('rejects unknown options', () => {
    expect(() => readOptions(['--prot', '1'])).toThrow(/--prot/)
  })
})
