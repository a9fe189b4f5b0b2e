import { createHash, createHmac, randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/context.ts'
import { openFrames, readFrame, readFrames } from '../spool/frames.ts'
import { runKeyCheck } from '../check/key-check-task.ts'
import { planOf, spoolOf } from '../spool/spool-files.ts'
import type { KeyCheckResult, KeyCheckTask } from '../check/key-check-task.ts'
import { decodeRequest, KEYS_PER_REQUEST } from '../plan/plan-requests.ts'
import { importsSchemas } from '../schema.ts'

const folder = temporaryFolder()
const journal = join(folder.path, 'journal.db')
const seal = randomBytes(32)
const fingerprint = randomBytes(32)
beforeAll(() => {
  const db = new BetterSqlite3(journal)
  for (const step of importsSchemas.flatMap(({ place, steps }) =>
    place === 'journal' ? steps : [],
  ))
    db.exec(step)
  db.close()
})
afterAll(() => folder.remove())

const offers = ['a', 'b'].map((name) => ({
  offerId: `off_${name}`,
  productId: `1000${name}`,
  name: `Game ${name}`,
  platform: 'Steam',
  region: 'Global',
  deliveryType: 'key',
  stock: 0,
}))

function run(
  kind: KeyCheckTask['kind'],
  files: readonly { name: string; bytes: Buffer; offerId: string | null }[],
): {
  result: KeyCheckResult
  sent: { offer: string; file: number; line: number; key: string; fingerprint: Buffer }[]
} {
  const task: KeyCheckTask = {
    kind,
    accountId: 'acc',
    importId: 'imp',
    folder: join(folder.path, 'imp'),
    journal,
    seal,
    fingerprint,
    offers,
    sendsRepeats: false,
    files: files.map(({ name, offerId }, position) => ({
      fileId: `f${position}`,
      position,
      name,
      fixed: {},
      offerId,
      read: null,
      pictures: null,
      chosen: [],
      included: [],
    })),
  }
  rmSync(task.folder, { recursive: true, force: true })
  mkdirSync(task.folder)
  for (const [position, { bytes }] of files.entries()) {
    const { path, key } = spoolOf(task, `f${position}`)
    const writer = openFrames(path, key, true)
    for (let at = 0; at < bytes.length; at += 1000) writer.append(bytes.subarray(at, at + 1000))
    writer.finish()
  }
  const result = runKeyCheck(task, () => {})
  const { path, key } = planOf(task)
  const frames = kind === 'plan' ? [...readFrames(path, key)] : []
  const sent = result.requests.flatMap((request) =>
    decodeRequest(frames[request.frame] ?? Buffer.alloc(0)).map((each) => ({
      ...each,
      offer: result.offers[request.offer]?.offerId ?? '',
    })),
  )
  return { result, sent }
}

test('gives every line one outcome, totals that add up, and plans every ready key exactly once @long', () => {
  const keys = fc.constantFrom(
    'KEY-1',
    'KEY-2',
    ' KEY-2',
    'KEY-3\u00a0',
    '',
    '1.23E+15',
    'B\u0001',
    '"KEY-4"',
    'AAAAA-BBBBB-CCCCC',
  )
  const file = fc.record({
    lines: fc.array(keys, { maxLength: 30 }),
    offerId: fc.constantFrom('off_a', 'off_b', null),
  })
  fc.assert(
    fc.property(fc.array(file, { minLength: 1, maxLength: 3 }), (files) => {
      const { result, sent } = run(
        'plan',
        files.map(({ lines, offerId }, index) => ({
          name: `${index}.txt`,
          bytes: Buffer.from(lines.map((line) => `${line}\n`).join('') || '\n'),
          offerId,
        })),
      )
      const seen = new Set<string>()
      const expected: string[] = []
      let noOffer = 0
      for (const { lines, offerId } of files) {
        for (const line of lines) {
          const key = line.replaceAll('"', '').trim()
          if (key === '' || key === '1.23E+15' || key === 'B\u0001') continue
          if (offerId === null) noOffer++
          else if (!seen.has(key)) {
            seen.add(key)
            expected.push(`${offerId} ${key}`)
          }
        }
      }
      const { sums } = result.classified
      expect(sums.read).toBe(sums.ready + sums.noOffer + sums.duplicate + sums.refused)
      expect(sums).toMatchObject({ ready: expected.length, noOffer })
      expect(sent.map(({ offer, key }) => `${offer} ${key}`).toSorted()).toEqual(
        expected.toSorted(),
      )
      for (const fate of ['no-offer', 'duplicate', 'refused'] as const) {
        const named = {
          'no-offer': sums.noOffer,
          duplicate: sums.duplicate,
          refused: sums.refused,
        }[fate]
        expect(
          result.classified.problems
            .filter((problem) => problem.fate === fate)
            .reduce((sum, { count }) => sum + count, 0),
        ).toBe(named)
      }
    }),
    { numRuns: 40 },
  )
})

test('plans requests of at most 1000 keys of one offer, in file order, with lines and fingerprints', () => {
  const lines = Array.from(
    { length: 5300 },
    (_, index) => `${index % 2 === 0 ? 'off_a' : '1000b'},K-${index}`,
  )
  const { result, sent } = run('plan', [
    { name: 'x.csv', bytes: Buffer.from(`sku,key\n${lines.join('\n')}`), offerId: null },
  ])
  expect(result.requests.map(({ offer, keys }) => [offer, keys])).toEqual([
    [0, 1000],
    [0, 1000],
    [0, 650],
    [1, 1000],
    [1, 1000],
    [1, 650],
  ])
  expect(KEYS_PER_REQUEST).toBe(1000)
  expect(sent.filter(({ offer }) => offer === 'off_a').map(({ line }) => line)).toEqual(
    Array.from({ length: 2650 }, (_, index) => index * 2 + 2),
  )
  for (const { key, fingerprint: print } of sent.slice(0, 50))
    expect(print).toEqual(
      createHmac('sha256', fingerprint)
        .update(createHash('sha256').update(key).digest())
        .digest()
        .subarray(0, 16),
    )
})

test('keeps the first key across files, and warns about shapes and lost zeros without rejecting lines', () => {
  const digits = Array.from({ length: 30 }, (_, index) => `${1_000_000_000_000 + index * 7919}`)
  const { result } = run('check', [
    { name: 'one.txt', bytes: Buffer.from('AAAAA-BBBBB-CCCCC\nDDDD-EEEE'), offerId: 'off_a' },
    {
      name: 'two.txt',
      bytes: Buffer.from('\ufeffAAAAA-BBBBB-CCCCC\r\nFFFFF-GGGGG-HHHHH', 'utf16le'),
      offerId: 'off_b',
    },
    {
      name: 'three.txt',
      bytes: Buffer.from([...digits, '100000000001'].join('\n')),
      offerId: 'off_b',
    },
  ])
  expect(result.classified.sums).toMatchObject({
    read: 35,
    ready: 34,
    noOffer: 0,
    duplicate: 1,
    refused: 0,
    setAside: 0,
    cleaned: 0,
    warned: 32,
  })
  expect(
    result.classified.problems.map(({ reason, count, fate }) => ({ reason, count, fate })),
  ).toEqual([
    { reason: 'duplicate-across-files', count: 1, fate: 'duplicate' },
    { reason: 'unusual-shape', count: 32, fate: 'ready' },
    { reason: 'leading-zero-lost', count: 1, fate: 'ready' },
  ])
  expect(result.classified.problems.at(-1)?.examples).toEqual([
    { file: 'three.txt', line: 31, shown: '100••••••••' },
  ])
})

test('never accepts a frame that was changed, moved or truncated', () => {
  const path = join(folder.path, 'frames')
  const key = { seal, accountId: 'acc', record: 'import:i:f' }
  const writer = openFrames(path, key, true)
  const first = writer.append(Buffer.from('one'))
  const second = writer.append(Buffer.from('two'))
  writer.finish()
  expect([...readFrames(path, key)].map(String)).toEqual(['one', 'two'])
  expect(() => [...readFrames(path, { ...key, record: 'import:i:g' })]).toThrow('authenticate')
  const file = openSync(path, 'r')
  expect(() => readFrame(file, key, { ...second, index: 0 })).toThrow('authenticate')
  closeSync(file)
  truncateSync(path, second.offset + second.length - 1)
  const again = openFrames(path, key, false)
  expect(again.frames).toEqual([first])
  again.append(Buffer.from('three'))
  again.close()
  expect([...readFrames(path, key)].map(String)).toEqual(['one', 'three'])
})
