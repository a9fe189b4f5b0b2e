import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { mutationReport } from './lib/mutation-report.mjs'

const folder = mkdtempSync(join(tmpdir(), 'keydesk-mutants-'))
afterAll(() => rmSync(folder, { recursive: true }))

const location = { start: { line: 2, column: 1 }, end: { line: 2, column: 5 } }
const mutant = (status: string, more: object = {}) => ({
  status,
  mutatorName: 'ConditionalExpression',
  replacement: 'if (\n false)',
  location,
  ...more,
})

function report(mutants: object[]): ReturnType<typeof mutationReport> {
  const file = join(folder, 'report.json')
  const source = 'const a = 1\n  if (a > 0)'
  writeFileSync(file, JSON.stringify({ files: { 'src/a.ts': { source, mutants } } }))
  return mutationReport('src', file)
}

test('lists survivors and exclusions, and counts uncovered mutants as survivors', () => {
  const { lines, percent } = report([
    mutant('Killed'),
    mutant('Timeout'),
    mutant('Survived'),
    mutant('NoCoverage'),
    mutant('Ignored', { statusReason: 'no one can notice it' }),
  ])
  const survivor = 'survived  src/a.ts:2  ConditionalExpression: if (a > 0) → if ( false)'
  expect(lines).toEqual([
    survivor,
    survivor,
    'excluded  src/a.ts:2  ConditionalExpression: no one can notice it',
    'src: 2 of 4 mutants detected (50.0 %), 2 survived, 1 excluded; ' +
      '1 of the detected ones timed out',
  ])
  expect(percent).toBe(50)
})

test('counts a folder without mutants as complete', () => {
  expect(report([]).percent).toBe(100)
})
