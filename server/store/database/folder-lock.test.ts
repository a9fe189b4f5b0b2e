import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockFolder } from './folder-lock.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('admits no second process after the lock file was deleted', () => {
  const lock = lockFolder(folder)
  rmSync(join(folder, 'keydesk.lock'))
  expect(() => lockFolder(folder)).toThrow('in use by another process')
  lock.release()
  lockFolder(folder).release()
})
