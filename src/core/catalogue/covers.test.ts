import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { monotonicAt } from '../clock.ts'
import { createCovers } from './covers.ts'
import type { Picture } from './covers.ts'

let folder: string
let now = 1_800_000_000_000
const clock = { now: () => now, monotonic: () => monotonicAt(now), after: () => () => {} }
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'keydesk-covers-')), 'covers')
})
afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }))

const png = (bytes: number, fill = 1): Picture => ({
  contentType: 'image/png',
  bytes: Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    Buffer.alloc(bytes - 8, fill),
  ]),
})
const never = (): never => {
  throw new Error('requested again')
}

test('fetches a picture once for all waiting callers, stores it, and reads it from its file later', async () => {
  const covers = createCovers(folder, clock)
  let asked = 0
  const fetch = async (): Promise<Picture> => {
    asked += 1
    return png(500)
  }
  const both = await Promise.all([
    covers.get('https://cdn.example/a.png', fetch),
    covers.get('https://cdn.example/a.png', fetch),
  ])
  expect(both).toEqual([png(500), png(500)])
  expect(asked).toBe(1)
  expect(await createCovers(folder, clock).get('https://cdn.example/a.png', never)).toEqual(
    png(500),
  )
  expect(readdirSync(folder)).toHaveLength(1)
})

test('leaves an address without a picture alone for ten minutes', async () => {
  const covers = createCovers(folder, clock)
  let asked = 0
  const nothing = async (): Promise<null> => {
    asked += 1
    return null
  }
  expect(await covers.get('https://cdn.example/b.png', nothing)).toBeNull()
  expect(await covers.get('https://cdn.example/b.png', nothing)).toBeNull()
  expect(asked).toBe(1)
  now += 10 * 60_000 + 1
  expect(await covers.get('https://cdn.example/b.png', async () => png(20))).toEqual(png(20))
})

test('neither stores nor returns anything but pictures, from the service or from the folder', async () => {
  const covers = createCovers(folder, clock)
  expect(
    await covers.get('https://cdn.example/c.png', async () => ({
      contentType: 'image/png',
      bytes: Buffer.from('<svg onload=alert(1)>'),
    })),
  ).toBeNull()
  await covers.get('https://cdn.example/d.png', async () => png(100))
  const file = path.join(folder, readdirSync(folder)[0] ?? '')
  writeFileSync(file, 'damaged')
  expect(await covers.get('https://cdn.example/d.png', async () => png(100, 2))).toEqual(
    png(100, 2),
  )
  expect(readFileSync(file)).toEqual(png(100, 2).bytes)
})

test('keeps the folder under its limit by deleting the least recently used pictures', async () => {
  const covers = createCovers(folder, clock, 1000)
  for (let i = 0; i < 8; i += 1) {
    now += 1000
    await covers.get(`https://cdn.example/${i}.png`, async () => png(200, i))
    now += 1000
    await covers.get('https://cdn.example/0.png', async () => png(200, 0))
  }
  expect(readdirSync(folder).length * 200).toBeLessThanOrEqual(1000)
  expect(await covers.get('https://cdn.example/0.png', never)).toEqual(png(200, 0))
})
