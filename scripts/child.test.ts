import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { root } from './lib/paths.mjs'
import { overdue, run } from './lib/child.mjs'

/** Long enough to be killed before; a test that fails leaves nothing running. */
const standsStill = 'setTimeout(() => process.exit(5), 20_000)'

/**
 * Runs a program by our own `run` in a process between, and waits until the program says that it is
 * there.
 */
async function runBetween(program: string, graceMs: number) {
  const between = `import { run } from './scripts/lib/child.mjs'
    process.exit(await run(process.execPath, ['-e', ${JSON.stringify(program)}], { stdio: ['ignore', 'inherit', 'inherit'], graceMs: ${graceMs} }))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', between], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  await once(child.stdout, 'data')
  return { child, status: async (): Promise<unknown> => (await ended)[0] as unknown }
}

test.skipIf(process.platform === 'win32')(
  'a program that ends in its own time after a signal keeps its status',
  async () => {
    const { child, status } = await runBetween(
      `process.on('SIGTERM', () => setTimeout(() => process.exit(3), 20)); ${standsStill}; console.log('there')`,
      60_000,
    )
    child.kill('SIGTERM')
    expect(await status()).toBe(3)
  },
)

test.skipIf(process.platform === 'win32')(
  'a program that stands still after a signal is killed',
  async () => {
    const { child, status } = await runBetween(
      `process.on('SIGTERM', () => {}); ${standsStill}; console.log('there')`,
      100,
    )
    child.kill('SIGTERM')
    expect(await status()).toBe(overdue)
  },
)

test('a program that stands still after it said that it ends is killed', async () => {
  expect(
    await run(process.execPath, ['-e', `process.disconnect(); ${standsStill}`], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      graceMs: 100,
    }),
  ).toBe(overdue)
})
