import { describe, expect, it } from 'vitest'
import { maskValue } from './masking.ts'

describe('a masked unit of an order', () => {
  it('is a masked key, or the type of a picture', () => {
    expect(maskValue('R3JQK-8WMVT-ZP4XA', 'text/plain')).toBe('R3JQK-•••••-•••••')
    expect(maskValue('A'.repeat(8192), 'image/png')).toBe('picture, 6 KB')
    expect(maskValue('A'.repeat(80), 'image/gif')).toBe('picture, 60 B')
    expect(maskValue('A'.repeat(1365), 'image/gif')).toBe('picture, 1023 B')
    expect(maskValue('A'.repeat(1366), 'image/gif')).toBe('picture, 1 KB')
  })
})
