import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
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
