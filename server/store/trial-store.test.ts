import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Store } from '../domain/ports/store.ts'
import { openStore, openTrialStore, type TrialStore } from './store.ts'

let folder: string
let original: Store
let trial: TrialStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-trial-'))
  original = openStore(join(folder, 'original'), { durable: false })
  original.settings.set('name', 'original')
  trial = openTrialStore(join(folder, 'trial'), original.snapshots.copy())
})
afterEach(() => {
  trial.close()
  original.close()
  rmSync(folder, { recursive: true })
})

test('undoes everything, and the original never changes', () => {
  const { settings } = trial
  trial.transaction(() => settings.set('name', 'trial'))
  settings.set('other', 'trial')
  expect([settings.get('name'), original.settings.get('name')]).toEqual(['trial', 'original'])
  const version = trial.version()
  trial.rewind()
  expect([settings.get('name'), settings.get('other')]).toEqual(['original', undefined])
  expect(trial.version()).not.toBe(version)
})

test('rolls back a failed transaction alone, with its effects', () => {
  const { settings } = trial
  const effects: string[] = []
  settings.set('before', 'stays')
  const fail = () =>
    trial.transaction(() => {
      trial.afterCommit(() => effects.push('after'))
      settings.set('name', 'lost')
      throw new Error('no')
    })
  expect(fail).toThrow('no')
  expect(fail).toThrow('no')
  trial.transaction(() => settings.set('after', 'stays'))
  expect([settings.get('name'), settings.get('before'), settings.get('after')]).toEqual([
    'original',
    'stays',
    'stays',
  ])
  expect(effects).toEqual([])
})

test('shows later copies, and reports a replaced state', async () => {
  const { settings } = trial
  const version = original.version()
  original.settings.set('name', 'later')
  expect(original.version()).not.toBe(version)
  expect(original.version()).toBe(original.version())
  trial.show(original.snapshots.copy())
  expect(settings.get('name')).toBe('later')
  expect(trial.replaced).toBe(false)
  const state = trial.snapshots.openEmpty()
  await state.complete()
  state.adopt()
  state.discard()
  expect([settings.get('name'), trial.replaced]).toEqual([undefined, true])
})
