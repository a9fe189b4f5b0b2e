import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { blobOf } from './base64.ts'

// Node has no `fromBase64` yet.
beforeAll(() => {
  vi.stubGlobal('Uint8Array', { fromBase64: (text: string) => Buffer.from(text, 'base64') })
})
afterAll(() => vi.unstubAllGlobals())

test.each([0, 1, 1_572_864, 1_572_865, 4_000_001])('decodes %i bytes', async (length) => {
  const bytes = Buffer.alloc(length, 'a repeated text')
  const decoded = await (await blobOf(Buffer.from(bytes).toString('base64'))).arrayBuffer()
  expect(Buffer.compare(Buffer.from(decoded), bytes)).toBe(0)
})
