import { mkdtempSync, openSync, closeSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { readFrame } from '../spool/frames.ts'
import { readCheckedLines, writeCheckedLines } from '../spool/checked-lines.ts'
import { createFingerprints } from '../fingerprint/fingerprint.ts'
import {
  createPlanner,
  createRequestRules,
  decodeRequest,
  repeatsTogether,
} from './plan-requests.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function prepare(): {
  path: (name: string) => string
  key: { seal: Buffer; accountId: string; record: string }
} {
  const folder = mkdtempSync(join(tmpdir(), 'keydesk-plan-'))
  folders.push(folder)
  return {
    path: (name) => join(folder, name),
    key: { seal: Buffer.alloc(32, 7), accountId: 'acc', record: 'plan' },
  }
}

test('sends suspected repeats in small separate requests, so that counts are certain per key', () => {
  const { path, key } = prepare()
  const lines = writeCheckedLines(path('checked'), key, createFingerprints(Buffer.alloc(32)).many)
  for (let line = 1; line <= 1250; line++) {
    const bytes = Buffer.from(`KEY-${line}`)
    lines.add(
      { line, offset: 0, length: bytes.length, bits: 0, target: 0, shapes: 0 },
      bytes,
      0,
      bytes.length,
      Uint32Array.from([line, 0, 0, 0]),
    )
  }
  lines.finish()
  const planner = createPlanner(path('plan'), key)
  for (const block of readCheckedLines(path('checked'), key)) {
    for (let index = 0; index < block.count; index++)
      planner.take(
        0,
        block,
        index,
        0,
        block.line(index).line % 10 === 0,
        Buffer.from(block.bytesOf(index)),
      )
  }
  const requests = planner.finish()
  const file = openSync(path('plan'), 'r')
  const sent = requests.map((request) =>
    decodeRequest(
      readFrame(file, key, {
        index: request.frame,
        offset: request.offset,
        length: request.length,
      }),
    ).map(({ line }) => line),
  )
  closeSync(file)
  expect(sent.slice(0, 2).map((each) => each.length)).toEqual([1000, 125])
  expect(
    sent
      .slice(0, 2)
      .flat()
      .some((line) => line % 10 === 0),
  ).toBe(false)
  const repeats = sent.slice(2)
  expect(repeats.slice(0, 100).every((each) => each.length === 1)).toBe(true)
  expect(repeats.slice(100).map((each) => each.length)).toEqual([10, 10, 5])
  expect(sent.flat().toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 1250 }, (_, index) => index + 1),
  )
})

test('plans tens of thousands of repeats without taking hours', () => {
  expect([0, 99, 100, 1099, 1100, 50_000].map(repeatsTogether)).toEqual([1, 1, 10, 10, 100, 100])
})

test('counts the requests of a check as the plan fills them @long', () => {
  const key = fc.record({
    offer: fc.nat({ max: 3 }),
    suspected: fc.boolean(),
    length: fc.constantFrom(15, 4096, 70_000, 700_000),
  })
  fc.assert(
    fc.property(fc.array(key, { maxLength: 400 }), (keys) => {
      const { path, key: sealed } = prepare()
      const lines = writeCheckedLines(
        path('checked'),
        sealed,
        createFingerprints(Buffer.alloc(32)).many,
      )
      lines.add(
        { line: 1, offset: 0, length: 1, bits: 0, target: 0, shapes: 0 },
        Buffer.from('A'),
        0,
        1,
        null,
      )
      lines.finish()
      const [block] = readCheckedLines(path('checked'), sealed)
      if (block === undefined) throw new Error('no block')
      const rules = createRequestRules()
      const planner = createPlanner(path('plan'), sealed)
      for (const { offer, suspected, length } of keys) {
        rules.add(offer, suspected, length)
        planner.take(0, block, 0, offer, suspected, Buffer.alloc(length))
      }
      expect(planner.finish().length).toBe(rules.count())
    }),
    { numRuns: 40 },
  )
})
