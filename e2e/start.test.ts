import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { root } from '../scripts/lib/paths.mjs'

let data = ''
const running = new Set<ChildProcess>()

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'keydesk-start-'))
})

afterEach(() => {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  running.clear()
  rmSync(data, { recursive: true, force: true })
})

/**
 * Runs `npm start` as a person would, without a display unless one is given, in a separate process
 * group.
 */
function start(options: readonly string[], desktop: Record<string, string> = {}) {
  const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...env } = process.env
  const child = spawn(
    'npm',
    ['run', '--silent', 'start', '--', '--no-open', '--data', data, ...options],
    { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: { ...env, ...desktop } },
  )
  running.add(child)
  const lines: string[] = []
  let complaints = ''
  const output = createInterface({ input: child.stdout })
  output.on('line', (line) => lines.push(line))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const ended = once(child, 'close').then(([status, signal]: unknown[]) => {
    running.delete(child)
    return { status, signal }
  })
  const address = async (): Promise<string> => {
    if (lines.length === 0) await Promise.race([once(output, 'line'), ended])
    const { url } = JSON.parse(lines[0] ?? '{}') as { url?: string }
    if (url === undefined) throw new Error(`No ready line, but: ${complaints}`)
    return url
  }
  return { pid: child.pid ?? 0, lines, complaints: () => complaints, ended, address }
}

describe.skipIf(process.platform === 'win32')('npm start', () => {
  test('serves the console in a browser without a display, says why, and prints only the ready line', async () => {
    const console = start([])
    const url = await console.address()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+$/)
    expect((await fetch(url)).status).toBe(200)
    process.kill(console.pid, 'SIGTERM')
    expect(await console.ended).toEqual({ status: 0, signal: null })
    expect(console.lines).toHaveLength(1)
    expect(console.complaints()).toContain(
      'Starting the console in a browser: this session has no display',
    )
  })

  test('runs the desktop app on the data folder with a display and Electron, and returns its exit status', async () => {
    const electron = join(data, 'electron')
    writeFileSync(electron, '#!/bin/sh\necho "$@" >&2\nexit 7\n', { mode: 0o755 })
    const desktop = start([], { DISPLAY: ':99', ELECTRON_OVERRIDE_DIST_PATH: data })
    expect(await desktop.ended).toEqual({ status: 7, signal: null })
    expect(desktop.lines).toEqual([])
    expect(desktop.complaints()).toContain(`--data=${data}\n`)
    expect(desktop.complaints()).toContain(
      'exited immediately (status 7). `npm start -- --browser` works without it.',
    )
  })

  test('exits with status 0 when a terminal interrupts the process group', async () => {
    const console = start(['--browser'])
    const url = await console.address()
    process.kill(-console.pid, 'SIGINT')
    expect(await console.ended).toEqual({ status: 0, signal: null })
    await expect(fetch(url)).rejects.toThrow(/fetch failed/)
  })

  test('reports a port in use in one clear line and exits with status 1 @long', async () => {
    const first = start(['--browser'])
    const { port } = new URL(await first.address())
    const other = mkdtempSync(join(tmpdir(), 'keydesk-start-'))
    try {
      const second = start(['--browser', '--port', port, '--data', other])
      expect(await second.ended).toEqual({ status: 1, signal: null })
      expect(second.lines).toEqual([])
      expect(second.complaints().trim().split('\n')).toEqual([expect.stringContaining(port)])
    } finally {
      process.kill(first.pid, 'SIGTERM')
      await first.ended
      rmSync(other, { recursive: true, force: true })
    }
  })
})
