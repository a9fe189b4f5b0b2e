import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, describe, expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

type Ready = { ready: boolean; baseUrl: string }

const running = new Set<ChildProcess>()

afterEach(() => {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  running.clear()
})

/** Starts `npm run --silent sandbox` in its own process group. */
function sandbox(...options: string[]) {
  const child = spawn(
    'npm',
    ['run', '--silent', 'sandbox', '--', '--memory', '--products', '20', ...options],
    { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  running.add(child)
  const lines: string[] = []
  const complaints: string[] = []
  const output = createInterface({ input: child.stdout })
  output.on('line', (line) => lines.push(line))
  createInterface({ input: child.stderr }).on('line', (line) => complaints.push(line))
  const ended = once(child, 'close').then(([status, signal]: unknown[]) => {
    running.delete(child)
    return { status, signal }
  })
  const ready = async (): Promise<Ready> => {
    if (lines.length === 0) await Promise.race([once(output, 'line'), ended])
    return JSON.parse(lines[0] ?? '{}') as Ready
  }
  return { pid: child.pid ?? 0, lines, complaints, ended, ready }
}

describe.skipIf(process.platform === 'win32')('npm run sandbox', () => {
  test.each([
    ['npm alone', 'SIGTERM', 1],
    ['npm alone', 'SIGINT', 1],
    ['the entire group, as in a terminal', 'SIGINT', -1],
    ['the entire group', 'SIGTERM', -1],
  ] as const)(
    'a signal to %s (%s) stops everything with status 0 @long',
    async (_whom, signal, sign) => {
      const { pid, lines, ended, ready } = sandbox('--port', '0')
      const { baseUrl } = await ready()
      process.kill(sign * pid, signal)
      expect(await ended).toEqual({ status: 0, signal: null })
      await expect(fetch(`${baseUrl}/openapi.json`)).rejects.toThrow(/fetch failed/)
      expect(lines).toHaveLength(1)
    },
  )

  test('reports a port in use with one clear line and status 1 @long', async () => {
    const first = sandbox('--port', '0')
    const { port } = new URL((await first.ready()).baseUrl)
    const second = sandbox('--port', port)
    expect(await second.ended).toEqual({ status: 1, signal: null })
    expect(second.lines).toEqual([])
    expect(second.complaints.filter((line) => !line.startsWith('npm '))).toEqual([
      expect.stringMatching(new RegExp(`^Port ${port} .* in use`)),
    ])
    process.kill(first.pid, 'SIGTERM')
    await first.ended
  })
})
