import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { builtFolder, root } from '../scripts/lib/paths.mjs'
import { watchCommandLines } from './support/command-lines.ts'
import { cleanEnvironment } from './support/processes.ts'

let home = ''
const running = new Map<ChildProcess, Promise<unknown>>()

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keydesk-second-'))
  mkdirSync(join(home, 'bin'))
  // Stands in for the desktop's browser: keeps its command line and a copy of the file.
  writeBrowser('xdg-open')
})
/** A browser keeps its command line and a copy of the file, and runs for a moment. */
function writeBrowser(name: string): void {
  writeFileSync(
    join(home, 'bin', name),
    [
      '#!/bin/sh',
      `file="\${1#--app=}"`,
      `cp "\${file#file://}" "${home}/opened.part"`,
      `echo "$@" >> "${home}/lines"`,
      `mv "${home}/opened.part" "${home}/opened"`,
      'sleep 0.2',
    ].join('\n'),
    { mode: 0o755 },
  )
}
afterEach(async () => {
  for (const child of running.keys()) child.kill('SIGKILL')
  await Promise.all(running.values())
  rmSync(home, { recursive: true, force: true })
})

function start(...args: string[]) {
  const environment = cleanEnvironment(home, {
    PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
  })
  const child = spawn(
    process.execPath,
    [join(builtFolder, 'browser-host/index.js'), '--data', join(home, 'Keydesk'), ...args],
    { stdio: ['ignore', 'pipe', 'pipe'], env: environment },
  )
  let output = ''
  let complaints = ''
  child.stdout.on('data', (part) => void (output += String(part)))
  child.stderr.on('data', (part) => void (complaints += String(part)))
  const ended = once(child, 'close').then(([status]: unknown[]) => {
    running.delete(child)
    return status
  })
  running.set(child, ended)
  return { child, ended, output: () => output, complaints: () => complaints }
}

const opened = (): string =>
  existsSync(join(home, 'opened')) ? readFileSync(join(home, 'opened'), 'utf8') : ''

const lines = (): string[] =>
  existsSync(join(home, 'lines'))
    ? readFileSync(join(home, 'lines'), 'utf8').trim().split('\n')
    : []

/** Starts Keydesk without a window. */
async function startFirst(...args: string[]) {
  const first = start('--no-open', ...args)
  await expect.poll(first.output, { timeout: 30_000 }).toContain('"ready":true')
  return first
}

describe.skipIf(process.platform === 'win32')('a second start on the same data folder', () => {
  test('opens a window of the running Keydesk at the link’s page, with an address that works once', async () => {
    const first = await startFirst()
    const second = start('keydesk://open/offers/off_1?account=a-1')
    expect(await second.ended).toBe(0)
    expect(second.output()).toBe('')
    const page = /const page = "([^"]+)"/.exec(opened())?.[1] ?? ''
    expect(page).toMatch(
      /^http:\/\/keydesk-[0-9a-f]{20}\.localhost:\d+\/\?token=[\w-]{43}#\/open\/offers\/off_1\?account=a-1$/,
    )
    const { port, searchParams } = new URL(page)
    const token = searchParams.get('token') ?? ''
    expect(lines().join()).not.toContain(token)
    const exchange = (): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/session`, {
        method: 'POST',
        body: token,
        headers: { origin: `http://127.0.0.1:${port}` },
      })
    expect((await exchange()).status).toBe(200)
    expect((await exchange()).status).toBe(401)
    expect(first.child.exitCode).toBe(null)
  })

  test('reaches one that a service manager started, which prints no address @long', async () => {
    const first = await startFirst('--service')
    expect(first.output()).toBe('{"ready":true}\n')
    expect(await start().ended).toBe(0)
    expect(opened()).toContain('?token=')
  })

  test.skipIf(process.platform !== 'linux')(
    'shows no token on a command line, whoever starts it, follows a link or opens its window @long',
    async () => {
      writeBrowser('chromium')
      const watch = watchCommandLines()
      const unit = readFileSync(join(root, 'resources/linux/keydesk.service'), 'utf8')
      const [, command = ''] = /^ExecStart=\/usr\/bin\/keydesk (.+)$/m.exec(unit) ?? []
      const entry = readFileSync(join(root, 'resources/linux/keydesk.desktop'), 'utf8')
      const [, click = ''] = /^Exec=keydesk (--window .+) %u$/m.exec(entry) ?? []
      expect([command, click]).toEqual(['--no-open --service', '--window --'])

      const tokens: string[] = []
      const first = start(...command.split(' '))
      await expect.poll(first.output, { timeout: 30_000 }).toBe('{"ready":true}\n')
      for (const args of [click.split(' '), [...click.split(' '), 'keydesk://open/offers'], []]) {
        rmSync(join(home, 'opened'), { force: true })
        const { ended, output } = start(...args)
        await expect.poll(opened, { timeout: 30_000 }).toContain('?token=')
        expect(await ended).toBe(0)
        expect(output()).toBe('')
        tokens.push(...[...opened().matchAll(/token=([\w-]+)/g)].map(([, token = '']) => token))
      }
      expect(await start('--quit').ended).toBe(0)
      expect(await first.ended).toBe(0)
      expect([first.output(), first.complaints()]).toEqual(['{"ready":true}\n', ''])

      const seen = watch.stop()
      // The browsers were seen with the file that contains the address.
      expect(lines().filter((line) => line.startsWith('--app=file://'))).toHaveLength(2)
      for (const line of lines()) expect(seen.some((each) => each.endsWith(line))).toBe(true)
      expect(new Set(tokens).size).toBeGreaterThanOrEqual(3)
      for (const token of tokens)
        expect([...seen, ...lines()].filter((line) => line.includes(token))).toEqual([])
    },
  )

  test('says how to get an address where no browser opens, and keeps the first one running', async () => {
    const first = await startFirst()
    writeFileSync(join(home, 'bin', 'xdg-open'), '#!/bin/sh\nexit 3\n', { mode: 0o755 })
    const second = start()
    expect(await second.ended).toBe(1)
    expect(second.output()).toBe('')
    expect(second.complaints()).toBe(
      'Keydesk is already running, but no browser could be opened here. Press o in the terminal ' +
        'where it runs for a new address.\n',
    )
    expect(first.child.exitCode).toBe(null)
  })

  test('leaves one running when two start at the same time, with a window for each', async () => {
    const both = [start(), start()]
    await expect.poll(lines, { timeout: 30_000 }).toHaveLength(2)
    await Promise.race(both.map(({ ended }) => ended))
    expect(both.map(({ child }) => child.exitCode).toSorted()).toEqual([0, null])
  })

  test('quits it in an orderly way and waits for it', async () => {
    const first = await startFirst()
    expect(await start('--quit').ended).toBe(0)
    expect(await first.ended).toBe(0)
    const again = start('--quit')
    expect(await again.ended).toBe(0)
    expect(again.complaints()).toBe('Keydesk isn’t running on this data folder.\n')
  })

  test('is refused with the reason when it opens nothing', async () => {
    await startFirst()
    const second = start('--no-open')
    expect(await second.ended).toBe(1)
    expect(second.complaints()).toContain('Another Keydesk (process')
  })

  test('starts normally after a kill', async () => {
    const first = await startFirst()
    first.child.kill('SIGKILL')
    await first.ended
    const second = start()
    await expect.poll(second.output, { timeout: 30_000 }).toContain('"ready":true')
    await expect.poll(opened).toContain('?token=')
  })
})
