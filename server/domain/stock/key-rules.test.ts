import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkKey, checkKeys, deliveredValue } from './key-rules.ts'

describe('an uploaded key', () => {
  const picture = (type: string, bytes: number[]) =>
    `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`
  const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  it.each([
    ['trimmed text', '  ABC-123\u00a0', 'ABC-123', 'text/plain'],
    ['4096 characters, whatever their size', '🗝'.repeat(4096), '🗝'.repeat(4096), 'text/plain'],
    ['a PNG', picture('png', png), picture('png', png), 'image/png'],
    [
      'a JPEG',
      picture('jpeg', [0xff, 0xd8, 0xff, 1]),
      picture('jpeg', [0xff, 0xd8, 0xff, 1]),
      'image/jpeg',
    ],
    [
      'a GIF',
      picture('gif', [...Buffer.from('GIF89a..')]),
      picture('gif', [...Buffer.from('GIF89a..')]),
      'image/gif',
    ],
  ])('can be %s', (_what, key, value, contentType) => {
    expect(checkKey(key)).toEqual({ ok: true, value, contentType })
  })

  it.each([
    ['empty', ' \t '],
    ['too long', 'x'.repeat(4097)],
    ['with a line break within', 'A\nB'],
    ['with a C1 control character', 'A\u0085B'],
    ['with a lone surrogate', 'A\ud800'],
    ['an SVG', 'data:image/svg+xml;base64,PHN2Zz4='],
    ['a PNG with other bytes', picture('png', [1, 2, 3])],
    ['a JPEG declared as a PNG', picture('png', [0xff, 0xd8, 0xff])],
    ['broken base64', 'data:image/png;base64,iVBORw0KGgo'],
    [
      'a picture above 512 KiB',
      picture('png', [...png, ...Array.from({ length: 512 * 1024 - 7 }, () => 0)]),
    ],
  ])('is rejected when %s', (_what, key) => {
    expect(checkKey(key).ok).toBe(false)
  })

  it('is accepted at exactly 512 KiB', () => {
    expect(
      checkKey(picture('png', [...png, ...Array.from({ length: 512 * 1024 - 8 }, () => 0)])).ok,
    ).toBe(true)
  })

  it('is identified by index, and never appears in an error', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 12, unit: 'binary' }), { minLength: 1, maxLength: 5 }),
        (keys) => {
          try {
            expect(checkKeys(keys)).toHaveLength(keys.length)
          } catch (error) {
            for (const key of keys) expect(JSON.stringify(error)).not.toContain(key)
            expect(error).toMatchObject({ code: 'VALIDATION_ERROR' })
          }
        },
      ),
    )
  })

  it('is delivered without the header of its data URI', () => {
    expect(deliveredValue(picture('png', png), 'image/png')).toBe(
      Buffer.from(png).toString('base64'),
    )
    expect(deliveredValue('A,B', 'text/plain')).toBe('A,B')
  })
})
