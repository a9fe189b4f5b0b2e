import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../testing/context.ts'
import { DataFolderInUse, lockDataFolder } from './lock.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

const me = { pid: process.pid, host: 'browser', since: 1 } as const

function refusal(): DataFolderInUse {
  try {
    lockDataFolder(folder.path, me)
  } catch (error) {
    if (error instanceof DataFolderInUse) return error
    throw error
  }
  throw new Error('the lock was granted twice')
}

test('tells a second console which console uses the folder and where its screen is', () => {
  const lock = lockDataFolder(folder.path, me)
  expect(refusal().holder).toEqual({ ...me, address: null })
  lock.announce('http://127.0.0.1:4701')
  expect(refusal().message).toContain(`process ${process.pid}, http://127.0.0.1:4701`)
  lock.release()
  lockDataFolder(folder.path, me).release()
})

test('releases the lock of a killed console immediately', async () => {
  const script = `import { lockDataFolder } from ${JSON.stringify(fileURLToPath(new URL('lock.ts', import.meta.url)))}
    lockDataFolder(${JSON.stringify(folder.path)}, { pid: process.pid, host: 'electron', since: 1 })
    process.stdout.write('locked')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  expect(refusal().holder).toMatchObject({ pid: child.pid, host: 'electron' })
  child.kill('SIGKILL')
  await once(child, 'close')
  lockDataFolder(folder.path, me).release()
})

test('admits no second console after the lock file was deleted, in this process or another', async () => {
  const lock = lockDataFolder(folder.path, me)
  rmSync(join(folder.path, 'console.lock'))
  expect(refusal()).toBeInstanceOf(DataFolderInUse)
  const script = `import { lockDataFolder } from ${JSON.stringify(fileURLToPath(new URL('lock.ts', import.meta.url)))}
    lockDataFolder(${JSON.stringify(folder.path)}, { pid: process.pid, host: 'electron', since: 1 })
    process.stdout.write('locked')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text))
  await once(child, 'close')
  expect(output.join('')).toContain('DataFolderInUse')
  lock.release()
  lockDataFolder(folder.path, me).release()
})

test('locks a deleted or replaced lock file again, and says when another console was faster', () => {
  const lock = lockDataFolder(folder.path, me)
  const path = join(folder.path, 'console.lock')
  expect(lock.renew()).toBe(true)
  rmSync(path)
  expect(lock.renew()).toBe(true)
  const other = new SqliteDatabase(path, { timeout: 0 })
  expect(() => other.exec('BEGIN EXCLUSIVE')).toThrow('locked')
  other.close()
  rmSync(path)
  const faster = new SqliteDatabase(path)
  faster.exec('BEGIN EXCLUSIVE')
  expect(lock.renew()).toBe(false)
  faster.close()
  lock.release()
})
