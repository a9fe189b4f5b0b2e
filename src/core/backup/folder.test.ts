import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dataFiles } from './folder.ts'

test('a backup has the sandbox’s snapshots, without the states to go back to', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keydesk-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'sandbox/snapshots'), { recursive: true })
  for (const name of ['stocked.sqlite', '_back-1800000000000-clock.sqlite'])
    writeFileSync(join(folder, 'sandbox/snapshots', name), '')
  expect(dataFiles(folder)).toEqual(['sandbox/snapshots/stocked.sqlite'])
})
