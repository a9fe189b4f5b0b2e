import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadModule, namesIn } from './lib/bench-modules.mjs'
import { conclude, readSoakOptions } from './lib/soak.mjs'
import { add, countPlaywright, countVitest, judge, none, summary } from './lib/test-counts.mjs'
import { chooseSteps } from './lib/test.mjs'

describe('the count of npm test', () => {
  test('the last line names what was flaky or skipped only when something was', () => {
    expect(summary({ ...none, passed: 3 })).toBe('3 passed, 0 failed')
    expect(summary(add({ ...none, passed: 3, skipped: 1 }, { passed: 1, failed: 2, flaky: 1, skipped: 1 }))).toBe('4 passed, 2 failed, 1 flaky, 2 skipped')
  })

  test('Vitest: a file that can’t be loaded is a failed test', () => {
    const passed = { status: 'passed', assertionResults: [{ status: 'passed' }] }
    const report = { numPassedTests: 1, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1, testResults: [passed, { status: 'failed', assertionResults: [{ status: 'failed' }] }, { status: 'failed', assertionResults: [] }] }
    expect(countVitest(report)).toEqual({ ...none, passed: 1, failed: 2, skipped: 2 })
  })

  test('Vitest: a test that passes only when repeated is no passed one', () => {
    const repeated = { status: 'passed', assertionResults: [{ status: 'passed', failureMessages: [] }, { status: 'passed', failureMessages: ['AssertionError: the first time'] }] }
    expect(countVitest({ numPassedTests: 2, numFailedTests: 0, numPendingTests: 0, testResults: [repeated] })).toEqual({ ...none, passed: 1, flaky: 1 })
  })

  test('Playwright: a test that passes only when repeated is no passed one', () => {
    expect(countPlaywright({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 } })).toEqual({ passed: 5, failed: 1, flaky: 1, skipped: 2 })
  })

  test('silence is a failure: no report, no test, or a bad end without a failed test', () => {
    expect(judge(undefined, 0)).toEqual({ ...none, failed: 1 })
    expect(judge({ ...none, skipped: 4 }, 0)).toEqual({ ...none, failed: 1, skipped: 4 })
    expect(judge({ ...none, passed: 4 }, 1)).toEqual({ ...none, passed: 4, failed: 1 })
    expect(judge({ ...none, passed: 4 }, 0)).toEqual({ ...none, passed: 4 })
    expect(judge({ ...none, passed: 4, failed: 2 }, 1)).toEqual({ ...none, passed: 4, failed: 2 })
  })

  test('steps run in their own order, with what they need', () => {
    expect(chooseSteps(['e2e', 'types']).map(({ name }) => name)).toEqual(['types', 'build', 'e2e'])
    expect(() => chooseSteps(['untie'])).toThrow(/Unknown step untie/)
  })
})

describe('soaks', () => {
  test('options', () => {
    expect(readSoakOptions(['orders', '--rounds', '5', '--seed=7'], () => 1)).toEqual({ help: false, name: 'orders', rounds: 5, seed: 7 })
    expect(readSoakOptions(['orders'], () => 1)).toEqual({ help: false, name: 'orders', rounds: undefined, seed: 1 })
    for (const args of [[], ['a', 'b'], ['a', '--rounds', '0'], ['a', '--rounds', '1.5'], ['a', '--seed'], ['a', '--sed', '1']]) {
      expect(() => readSoakOptions(args, () => 1), args.join(' ')).toThrow(/Unknown option|Which soak|whole number/)
    }
  })

  test('end with one line of JSON and status 1 when anything went wrong', () => {
    const run = { name: 'orders', rounds: 5, seed: 7 }
    expect(conclude(run, { lost: 0, twice: 0, wrong: 0, kills: 5 })).toEqual({ line: '{"name":"orders","rounds":5,"seed":7,"lost":0,"twice":0,"wrong":0,"kills":5}', status: 0 })
    for (const one of ['lost', 'twice', 'wrong']) expect(conclude(run, { lost: 0, twice: 0, wrong: 0, [one]: 1 }).status).toBe(1)
    expect(() => conclude(run, { lost: 0, twice: 0 })).toThrow(/no count of wrong/)
  })

  test('are found by the files in their folder', async () => {
    const base = mkdtempSync(join(tmpdir(), 'keydesk-soaks-'))
    try {
      mkdirSync(join(base, 'soak', 'shared'), { recursive: true })
      writeFileSync(join(base, 'soak', 'orders.ts'), 'export default async () => ({ lost: 0, twice: 0, wrong: 0 })')
      writeFileSync(join(base, 'soak', 'orders.test.ts'), '')
      expect(namesIn('soak', base)).toEqual(['orders'])
      const module = await loadModule('soak', 'orders', base)
      expect(await module.default({})).toEqual({ lost: 0, twice: 0, wrong: 0 })
      await expect(loadModule('soak', 'nothing', base)).rejects.toThrow('There is no soak/nothing.ts. The names are: orders.')
    } finally {
      rmSync(base, { recursive: true, force: true })
    }
  })
})
