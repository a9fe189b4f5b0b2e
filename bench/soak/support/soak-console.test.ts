import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'

/** A console that reports forever, or waits without a report. */
const consoleSource = (body: string): string => `
  import { createReporter, pause, runSoakConsole } from
    '${new URL('soak-console.ts', import.meta.url).href}'
  const say = createReporter()
  say({ started: true })
  runSoakConsole(async () => { ${body} })`

for (const [what, body] of [
  ['reports', 'for (;;) { say({ syncing: true }); await pause(1) }'],
  ['waits', 'await pause(3_600_000)'],
] as const)
  test(`a console that ${what} ends without an error with the soak that started it`, async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', consoleSource(body)])
    onTestFinished(() => void child.kill('SIGKILL'))
    const errors = text(child.stderr)
    child.stdin.write('{"dataDir":"none"}\n')
    await once(child.stdout, 'data')
    const exited = once(child, 'exit')
    child.stdout.destroy()
    child.stdin.destroy()
    expect(await exited).toEqual([0, null])
    expect(await errors).toBe('')
  })
