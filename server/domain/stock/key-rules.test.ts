import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  checkedKey,
  checkKey,
  checkKeys,
  deliveredValue,
  fingerprint,
  keySha256,
} from './key-rules.ts'

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
    ['empty', ' \t ', 'must not be empty'],
    ['too long', 'x'.repeat(4097), 'must have at most 4096 characters'],
    ['with a line break within', 'A\nB', 'must not have control characters'],
    ['with a C1 control character', 'A\u0085B', 'must not have control characters'],
    ['with a lone surrogate', 'A\ud800', 'must be well-formed Unicode'],
    ['an SVG', 'data:image/svg+xml;base64,PHN2Zz4=', 'must be a PNG, JPEG or GIF in base64'],
    [
      'a picture that is not in base64',
      `data:image/png,${Buffer.from(png).toString('base64')}`,
      'must be a PNG, JPEG or GIF in base64',
    ],
    ['a PNG with other bytes', picture('png', [1, 2, 3]), 'must be what it says, image/png'],
    [
      'a JPEG declared as a PNG',
      picture('png', [0xff, 0xd8, 0xff]),
      'must be what it says, image/png',
    ],
    ['broken base64', 'data:image/png;base64,iVBORw0KGgo', 'must be canonical base64'],
    [
      'a picture above 512 KiB',
      picture('png', [...png, ...Array.from({ length: 512 * 1024 - 7 }, () => 0)]),
      'must be at most 512 KiB',
    ],
  ])('is rejected when %s', (_what, key, problem) => {
    expect(checkKey(key)).toEqual({ ok: false, problem })
  })

  it('is accepted at exactly 512 KiB', () => {
    expect(
      checkKey(picture('png', [...png, ...Array.from({ length: 512 * 1024 - 8 }, () => 0)])).ok,
    ).toBe(true)
  })

  it('is identified by index, and never appears in an error @long', () => {
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

  it('is checked in a list and alone by the same rules, naming its field', () => {
    expect(checkKeys([' A ', 'B'])).toEqual([
      { value: 'A', contentType: 'text/plain' },
      { value: 'B', contentType: 'text/plain' },
    ])
    expect(() => checkKeys(['A', ' ', 'B', 'C\n\nD'])).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        details: [
          { field: 'keys[1]', message: 'must not be empty' },
          { field: 'keys[3]', message: 'must not have control characters' },
        ],
      }),
    )
    expect(checkedKey(' A ', 'key')).toEqual({ value: 'A', contentType: 'text/plain' })
    expect(() => checkedKey(' ', 'key')).toThrow(
      expect.objectContaining({ details: [{ field: 'key', message: 'must not be empty' }] }),
    )
  })

  it('is recognized by its value within one product, and by its seller by SHA-256', () => {
    expect(fingerprint('prd_1', 'A')).toEqual(fingerprint('prd_1', 'A'))
    expect(fingerprint('prd_1', 'A')).toHaveLength(16)
    expect(fingerprint('prd_2', 'A')).not.toEqual(fingerprint('prd_1', 'A'))
    expect(fingerprint('prd_1', 'B')).not.toEqual(fingerprint('prd_1', 'A'))
    expect(Buffer.from(keySha256('ABC')).toString('hex')).toBe(
      'b5d4045c3f466fa91fe2cc6abe79232a1a57cdf104f7a26e716e0a1e2789df78',
    )
  })
})
