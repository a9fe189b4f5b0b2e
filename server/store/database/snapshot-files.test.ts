import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { channelName, type CrashPoint } from '../../domain/crash-points.ts'
import { openStore } from '../store.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-snapshots-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Saves a snapshot in a separate process that is killed at a crash point. */
function saveUntil(crashPoint: CrashPoint): string | null {
  const program = `
    import { channel } from 'node:diagnostics_channel'
    import { openStore } from '${new URL('../store.ts', import.meta.url).href}'
    channel('${channelName(crashPoint)}').subscribe(() => process.kill(process.pid, 'SIGKILL'))
    openStore('${folder}').snapshots.save('one', 0)`
  return spawnSync(process.execPath, ['--input-type=module', '--eval', program]).signal
}

test('drops a snapshot interrupted by a kill, and the next start cleans it up', () => {
  expect(saveUntil('snapshot.written')).toBe('SIGKILL')
  expect(readdirSync(join(folder, 'snapshots'))).toEqual([expect.stringMatching(/^\.work-/)])
  const store = openStore(folder)
  expect(store.snapshots.list()).toEqual([])
  expect(readdirSync(join(folder, 'snapshots'))).toEqual([])
  store.close()
})

test('keeps a snapshot that has its name complete and restorable', () => {
  expect(saveUntil('snapshot.named')).toBe('SIGKILL')
  const store = openStore(folder)
  expect(store.snapshots.list().map(({ name }) => name)).toEqual(['one'])
  expect(store.snapshots.restore('one', () => undefined)).toMatchObject({ name: 'one' })
  expect(readdirSync(join(folder, 'snapshots'))).toEqual(['one.sqlite'])
  store.close()
})
