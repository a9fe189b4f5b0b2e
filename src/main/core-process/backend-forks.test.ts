import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { UtilityProcess } from 'electron'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBackendForks } from './backend-forks.ts'
import type { ToCore } from './core-messages.ts'

let folder = ''
const forked: ChildProcess[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-forks-'))
})
afterEach(() => {
  for (const child of forked.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Like Electron's utility processes, which have no pid after they exit. */
function fork(path: string, args: string[]): UtilityProcess {
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  forked.push(child)
  let ended = false
  child.once('exit', () => {
    ended = true
  })
  return new Proxy(child as unknown as UtilityProcess, {
    get: (_, name) => {
      if (name === 'pid') return ended ? undefined : child.pid
      const value: unknown = Reflect.get(child, name)
      return typeof value === 'function' ? value.bind(child) : value
    },
  })
}

/** Forks of a backend that runs this source, and the next message to the core. */
function forksOf(source: string, readyMs: number) {
  const path = join(folder, 'backend.mjs')
  writeFileSync(path, source)
  const told: ToCore[] = []
  let heard = Promise.withResolvers<void>()
  const forks = createBackendForks(
    fork,
    path,
    (message) => {
      told.push(message)
      heard.resolve()
    },
    { readyMs, stopMs: 50 },
  )
  const next = async (): Promise<ToCore | undefined> => {
    if (told.length === 0) await heard.promise
    heard = Promise.withResolvers()
    return told.shift()
  }
  forks.hear({ type: 'start-backend', id: 1, options: { dataDir: null, port: 0, seed: 'empty' } })
  return { forks, next }
}
const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`

test('kills a backend that hangs while it stops', async () => {
  const { forks, next } = forksOf(`${stubborn} console.log('{"ready":true}')`, 60_000)
  expect(await next()).toMatchObject({ type: 'backend-ready', id: 1 })
  forks.hear({ type: 'stop-backend', id: 1 })
  expect(await next()).toMatchObject({ type: 'backend-ended', id: 1 })
})

test('stops a backend that never becomes ready, and reports the reason', async () => {
  const { next } = forksOf(stubborn, 100)
  expect(await next()).toMatchObject({
    type: 'backend-ended',
    id: 1,
    lastWords: 'The sandbox was not ready within 0.1 s.',
  })
})
