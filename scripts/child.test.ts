import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { root } from './lib/paths.mjs'
import { overdue, run } from './lib/child.mjs'

/** Longer than the time after which it is killed; it exits on its own if a test fails. */
const hangs = 'setTimeout(() => process.exit(5), 20_000)'

/**
 * Runs a program with our own `run` in an intermediate process, and waits until the program reports
 * that it is running.
 */
async function runBetween(program: string, graceMs: number) {
  const between = `import { run } from './scripts/lib/child.mjs'
    const options = { stdio: ['ignore', 'inherit', 'inherit'], graceMs: ${graceMs} }
    process.exit(await run(process.execPath, ['-e', ${JSON.stringify(program)}], options))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', between], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  await once(child.stdout, 'data')
  return { child, status: async (): Promise<unknown> => (await ended)[0] as unknown }
}

test.skipIf(process.platform === 'win32')(
  'keeps the status of a program that exits in time after a signal',
  async () => {
    const { child, status } = await runBetween(
      `process.on('SIGTERM', () => setTimeout(() => process.exit(3), 20)); ${hangs}; console.log('there')`,
      60_000,
    )
    child.kill('SIGTERM')
    expect(await status()).toBe(3)
  },
)

test.skipIf(process.platform === 'win32')('kills a program that hangs after a signal', async () => {
  const { child, status } = await runBetween(
    `process.on('SIGTERM', () => {}); ${hangs}; console.log('there')`,
    100,
  )
  child.kill('SIGTERM')
  expect(await status()).toBe(overdue)
})

test('kills a program that hangs after it announced its exit', async () => {
  expect(
    await run(process.execPath, ['-e', `process.disconnect(); ${hangs}`], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      graceMs: 100,
    }),
  ).toBe(overdue)
})
