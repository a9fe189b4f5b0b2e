import { randomBytes } from 'node:crypto'
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/context.ts'
import { readFrames } from '../spool/frames.ts'
import type { Write } from '../spool/frames.ts'
import { createReceiving } from './receiving.ts'
import { openSpool } from '../spool/spool-reader.ts'
import { isDiskFull } from '../../disk-full.ts'

const folder = temporaryFolder()
const key = { seal: randomBytes(32), accountId: 'acc', record: 'import:i:f' }
afterAll(() => folder.remove())

test('discards a chunk if the disk fills up midway, and accepts the same bytes again when there is space', () => {
  const path = join(folder.path, 'full')
  let room = 150
  const disk: Write = (file, bytes, offset, length) => {
    const taken = Math.min(length, room)
    if (taken === 0)
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    room -= taken
    return writeSync(file, bytes, offset, taken)
  }
  const receiving = createReceiving(disk)
  expect(receiving.write('f', path, key, 0, Buffer.from('a'.repeat(50)))).toBe(50)
  let thrown: unknown
  try {
    receiving.write('f', path, key, 50, Buffer.from('b'.repeat(100)))
  } catch (error) {
    thrown = error
  }
  expect(isDiskFull(thrown)).toBe(true)
  expect(receiving.received('f')).toBe(50)
  room = 10_000
  expect(receiving.write('f', path, key, 50, Buffer.from('b'.repeat(100)))).toBe(150)
  receiving.finish('f')
  expect(Buffer.concat([...readFrames(path, key)]).toString()).toBe(
    'a'.repeat(50) + 'b'.repeat(100),
  )
})

test('reads a spooled file at any position, across its frames', () => {
  const path = join(folder.path, 'places')
  const receiving = createReceiving()
  const bytes = randomBytes(1000)
  for (let at = 0; at < 1000; at += 170)
    receiving.write('p', path, key, at, bytes.subarray(at, at + 170))
  receiving.finish('p')
  const spool = openSpool(path, key)
  expect(spool.size).toBe(1000)
  for (const [offset, length] of [
    [0, 1000],
    [169, 2],
    [170, 170],
    [999, 50],
    [340, 400],
    [1000, 5],
    [500, 0],
  ] as const) {
    expect(spool.read(offset, length)).toEqual(bytes.subarray(offset, offset + length))
  }
  spool.close()
})
