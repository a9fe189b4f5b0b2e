import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { RunOptions } from './lib/child.mjs'
import { loadModule, namesIn } from './lib/bench-modules.mjs'
import { overdue, run } from './lib/child.mjs'
import { conclude, readSoakOptions } from './lib/soak.mjs'
import {
  add,
  countPlaywright,
  countVitest,
  judge,
  none,
  statusOfPlaywright,
  summary,
} from './lib/test-counts.mjs'
import { check, counted } from './lib/test-steps.mjs'
import { chooseSteps, runParallel } from './lib/test.mjs'

describe('the count of npm test', () => {
  test('names flaky and skipped tests in the last line only if there are any', () => {
    expect(summary({ ...none, passed: 3 })).toBe('3 passed, 0 failed')
    expect(
      summary(
        add(
          { ...none, passed: 3, skipped: 1 },
          { ...none, passed: 1, failed: 2, flaky: 1, skipped: 1 },
        ),
      ),
    ).toBe('4 passed, 2 failed, 1 flaky, 2 skipped')
  })

  test('Vitest: counts a file that can’t be loaded as a failed test', () => {
    const passed = { status: 'passed', assertionResults: [{ status: 'passed' }] }
    const report = {
      numPassedTests: 1,
      numFailedTests: 1,
      numPendingTests: 1,
      numTodoTests: 1,
      testResults: [
        passed,
        { status: 'failed', assertionResults: [{ status: 'failed' }] },
        { status: 'failed', assertionResults: [] },
      ],
    }
    expect(countVitest(report)).toMatchObject({ passed: 1, failed: 2, flaky: 0, skipped: 2 })
  })

  test('Vitest: counts long tests that were left out neither as passed nor as skipped', () => {
    const report = {
      numPassedTests: 1,
      numFailedTests: 0,
      numPendingTests: 3,
      testResults: [
        {
          status: 'passed',
          assertionResults: [
            { status: 'passed', fullName: 'adds' },
            { status: 'pending', fullName: 'waits an hour @long' },
            { status: 'skipped', fullName: 'waits a day @long' },
            { status: 'pending', fullName: 'only on Windows' },
          ],
        },
      ],
    }
    expect(countVitest(report, '@long')).toMatchObject({ passed: 1, failed: 0, skipped: 1 })
    expect(countVitest(report)).toMatchObject({ passed: 1, failed: 0, skipped: 3 })
  })

  test('Vitest: counts a test that only passes on retry as flaky', () => {
    const repeated = {
      status: 'passed',
      assertionResults: [
        { status: 'passed', failureMessages: [] },
        { status: 'passed', failureMessages: ['AssertionError: the first time'] },
      ],
    }
    expect(
      countVitest({
        numPassedTests: 2,
        numFailedTests: 0,
        numPendingTests: 0,
        testResults: [repeated],
      }),
    ).toMatchObject({ passed: 1, failed: 0, flaky: 1, skipped: 0 })
  })

  test('Playwright: counts a test that only passes on retry as flaky', () => {
    expect(
      countPlaywright({ stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }, errors: [] }),
    ).toEqual({ ...none, passed: 5, failed: 1, flaky: 1, skipped: 2 })
  })

  test('names failed and flaky tests with their first error, and files that can’t be loaded', () => {
    const division = [
      '\u001B[31mError: by zero\u001B[39m',
      '',
      `  ${'x'.repeat(200)}`,
      '    at divide (a.ts:1:1)',
      '    at a.test.ts:2:2',
      '    at b.test.ts:3:3',
    ].join('\n')
    const vitest = {
      numPassedTests: 2,
      numFailedTests: 1,
      numPendingTests: 0,
      testResults: [
        {
          name: 'a.test.ts',
          status: 'failed',
          assertionResults: [
            { status: 'passed', fullName: 'adds', failureMessages: [] },
            { status: 'failed', fullName: 'divides', failureMessages: [division] },
            { status: 'passed', fullName: 'waits', failureMessages: ['the first time'] },
          ],
        },
        { name: 'b.test.ts', status: 'failed', message: 'no b.ts', assertionResults: [] },
      ],
    }
    const spec = (title: string, status: string) => ({
      file: 'c.spec.ts',
      title,
      tests: [
        { status, results: [{}, { error: { message: 'late', stack: 'late\n  at c.ts:1' } }] },
      ],
    })
    const playwright = {
      stats: { expected: 1, unexpected: 1, flaky: 1, skipped: 0 },
      errors: [],
      suites: [
        {
          title: 'c.spec.ts',
          specs: [spec('opens', 'expected'), spec('closes', 'unexpected')],
          suites: [{ title: 'nested', specs: [spec('waits', 'flaky')] }],
        },
      ],
    }
    expect(add(countVitest(vitest), countPlaywright(playwright)).names).toEqual([
      `a.test.ts › divides\n      Error: by zero\n      ${'x'.repeat(160)}\n      at a.test.ts:2:2`,
      'a.test.ts › waits (flaky)\n      the first time',
      'b.test.ts: not loaded\n      no b.ts',
      'c.spec.ts › closes\n      late',
      'c.spec.ts › waits (flaky)\n      late',
    ])
  })

  test('treats silence as a failure: no report, no test, or an error exit without a failed test', () => {
    expect(judge(undefined, 0)).toEqual({ ...none, failed: 1 })
    expect(judge({ ...none, skipped: 4 }, 0)).toEqual({ ...none, failed: 1, skipped: 4 })
    expect(judge({ ...none, passed: 4 }, 1)).toEqual({ ...none, passed: 4, failed: 1 })
    expect(judge({ ...none, passed: 4 }, 0)).toEqual({ ...none, passed: 4 })
    expect(judge({ ...none, passed: 4, failed: 2 }, 1)).toEqual({ ...none, passed: 4, failed: 2 })
  })

  test('Playwright: treats an error outside of tests as an error exit', () => {
    const stats = { expected: 5, unexpected: 0, flaky: 1, skipped: 2 }
    expect(statusOfPlaywright({ stats, errors: [] })).toBe(0)
    expect(statusOfPlaywright({ stats: { ...stats, unexpected: 1 }, errors: [] })).toBe(1)
    expect(statusOfPlaywright({ stats, errors: [{}] })).toBe(1)
  })

  test('runs steps in their fixed order, with the steps they need', () => {
    expect(chooseSteps(['e2e', 'types']).map(({ name }) => name)).toEqual(['types', 'build', 'e2e'])
    expect(() => chooseSteps(['untie'])).toThrow(/Unknown step untie/)
    const long = ['packaged', 'soaks', 'sessions']
    expect(chooseSteps(['--full']).map(({ name }) => name)).toEqual([
      ...chooseSteps([]).map(({ name }) => name),
      ...long,
    ])
    expect(chooseSteps([]).some(({ name }) => long.includes(name))).toBe(false)
  })
})

describe('parallel steps', () => {
  test('run two at a time, each reported when it finishes', async () => {
    let running = 0
    let most = 0
    const ends: (() => void)[] = []
    const steps = ['a', 'b', 'c', 'd'].map((name) => ({
      name,
      about: '',
      beside: true as const,
      run: async () => {
        most = Math.max(most, ++running)
        await new Promise<void>((resolve) => {
          ends.push(resolve)
        })
        running--
        return { ...none, passed: 1 }
      },
    }))
    const told: string[] = []
    const all = runParallel(steps, ({ name }, counts) => {
      told.push(`${name} ${summary(counts)}`)
    })
    // The second finishes first, then the one that took its place.
    for (const each of [1, 2, 0, 3]) {
      await expect.poll(() => ends.length).toBeGreaterThan(each)
      ends[each]?.()
      await expect.poll(() => told).toContain(`${steps[each]?.name ?? ''} 1 passed, 0 failed`)
    }
    await all
    expect(told.map(([name]) => name)).toEqual(['b', 'c', 'a', 'd'])
    expect(most).toBe(2)
  })

  test('print each step’s output before its result, and continue after a failed one', async () => {
    const says = (name: string, status: number) => ({
      name,
      about: '',
      beside: true as const,
      run: (options?: RunOptions) =>
        check(() =>
          run(
            process.execPath,
            ['-e', `console.log('${name} said so'); process.exitCode = ${status}`],
            options,
          ),
        ),
    })
    const shown: string[] = []
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((part) => {
      shown.push(String(part))
      return true
    })
    const counted: Record<string, unknown> = {}
    await runParallel([says('one', 1), says('two', 0), says('three', 0)], ({ name }, counts) => {
      counted[name] = counts
      shown.push(`${name} ended`)
    })
    write.mockRestore()
    expect(counted).toEqual({
      one: { ...none, failed: 1 },
      two: { ...none, passed: 1 },
      three: { ...none, passed: 1 },
    })
    for (const name of ['one', 'two', 'three'])
      expect(shown.filter((part) => part.startsWith(name))).toEqual([
        `${name} said so\n`,
        `${name} ended`,
      ])
  })
})

describe('a tool that hangs', () => {
  /** Writes the report, if there is one, and hangs. */
  const hangingSuite = (report: string | undefined) => (file: string, options: RunOptions) => {
    const write = `require('fs').writeFileSync(${JSON.stringify(file)}, ${JSON.stringify(report)});`
    return run(
      process.execPath,
      ['-e', `${report === undefined ? '' : write} setInterval(() => {}, 1000)`],
      options,
    )
  }
  const count = (report: { passed: number; status: number }) => ({ ...none, passed: report.passed })

  test('is judged by its complete report after a minute @long', async () => {
    expect(
      await counted(
        'stands-still.json',
        hangingSuite('{"passed":3,"status":0}'),
        count,
        ({ status }) => status,
        1,
      ),
    ).toEqual({ ...none, passed: 3 })
    expect(
      await counted(
        'stands-still.json',
        hangingSuite('{"passed":3,"status":1}'),
        count,
        ({ status }) => status,
        1,
      ),
    ).toEqual({ ...none, passed: 3, failed: 1 })
  })

  test('has failed when its report is missing or incomplete at the limit @long', async () => {
    for (const report of [undefined, '{"passed":3,']) {
      const suite = (file: string, options: RunOptions) =>
        hangingSuite(report)(file, { ...options, limitMs: 1500 })
      expect(await counted('stands-still.json', suite, count, () => 0, 1)).toEqual({
        ...none,
        failed: 1,
      })
    }
  })

  test('is run once more if it is a check, and only once', async () => {
    const ends = (statuses: number[]) => check(async () => statuses.shift() ?? Number.NaN)
    expect(await ends([overdue, 0])).toEqual({ ...none, passed: 1 })
    expect(await ends([overdue, overdue, 0])).toEqual({ ...none, failed: 1 })
    expect(await ends([1, 0])).toEqual({ ...none, failed: 1 })
  })

  test('keeps the exit status of a tool that doesn’t hang', async () => {
    expect(await run(process.execPath, ['-e', 'process.exitCode = 3'], { limitMs: 60_000 })).toBe(3)
  })
})

describe('soaks', () => {
  test('options', () => {
    expect(readSoakOptions(['orders', '--rounds', '5', '--seed=7'], () => 1)).toEqual({
      help: false,
      name: 'orders',
      rounds: 5,
      seed: 7,
      replay: false,
    })
    expect(readSoakOptions(['simulate', '--replay'], () => 1)).toMatchObject({ replay: true })
    expect(readSoakOptions(['orders'], () => 1)).toEqual({
      help: false,
      name: 'orders',
      rounds: undefined,
      seed: 1,
      replay: false,
    })
    for (const args of [
      [],
      ['a', 'b'],
      ['a', '--rounds', '0'],
      ['a', '--rounds', '1.5'],
      ['a', '--seed'],
      ['a', '--sed', '1'],
    ]) {
      expect(() => readSoakOptions(args, () => 1), args.join(' ')).toThrow(
        /Unknown option|Which soak|whole number/,
      )
    }
  })

  test('finish with one line of JSON and status 1 if anything went wrong', () => {
    const run = { name: 'orders', rounds: 5, seed: 7 }
    expect(conclude(run, { lost: 0, twice: 0, wrong: 0, kills: 5 })).toEqual({
      line: '{"name":"orders","rounds":5,"seed":7,"lost":0,"twice":0,"wrong":0,"kills":5}',
      status: 0,
    })
    for (const one of ['lost', 'twice', 'wrong'])
      expect(conclude(run, { lost: 0, twice: 0, wrong: 0, [one]: 1 }).status).toBe(1)
    expect(() => conclude(run, { lost: 0, twice: 0 })).toThrow(/no count of wrong/)
  })

  test('are listed by the files in their folder', async () => {
    const base = mkdtempSync(join(tmpdir(), 'keydesk-soaks-'))
    try {
      mkdirSync(join(base, 'soak', 'shared'), { recursive: true })
      writeFileSync(
        join(base, 'soak', 'orders.ts'),
        'export default async () => ({ lost: 0, twice: 0, wrong: 0 })',
      )
      writeFileSync(join(base, 'soak', 'orders.test.ts'), '')
      expect(namesIn('soak', base)).toEqual(['orders'])
      const module = await loadModule('soak', 'orders', base)
      expect(await module.default({})).toEqual({ lost: 0, twice: 0, wrong: 0 })
      await expect(loadModule('soak', 'nothing', base)).rejects.toThrow(
        'There is no soak/nothing.ts. The names are: orders.',
      )
    } finally {
      rmSync(base, { recursive: true, force: true })
    }
  })
})
