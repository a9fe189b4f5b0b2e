import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { seeded } from '../../../e2e/support/seeded.ts'
import { readDisk } from './disk.ts'
import type { Change } from './log.ts'

let folder: string
const root = (): string => path.join(folder, 'root')
const at = (name: string): string => path.join(root(), name)
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keydesk-disk-'))
  mkdirSync(root())
  writeFileSync(at('old'), 'old content')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (file: number, name: string): Change => ({
  kind: 'open',
  file,
  path: name === '' ? root() : at(name),
  creates: name !== '',
  empties: false,
})
const write = (file: number, text: string): Change => ({
  kind: 'write',
  file,
  at: 0,
  bytes: Buffer.from(text),
})
const sync = (file: number): Change => ({ kind: 'sync', file })
const syncRoot = (): Change[] => [open(9, ''), sync(9)]

/** The contents of a file after many power losses; null where it is missing. */
function contentsOf(name: string, changes: readonly Change[]): Set<string | null> {
  const contents = new Set<string | null>()
  for (let seed = 0; seed < 200; seed += 1) {
    const disk = readDisk(root())
    for (const change of changes) disk.record(change)
    const place = path.join(folder, 'after')
    disk.leave(place, seeded(seed))
    const file = path.join(place, name)
    contents.add(existsSync(file) ? readFileSync(file, 'utf8') : null)
  }
  return contents
}

test('keeps what was synced together with its name, whatever the loss', () => {
  const changes = [open(3, 'new'), write(3, 'text'), sync(3), ...syncRoot()]
  expect(contentsOf('new', changes)).toEqual(new Set(['text']))
  expect(contentsOf('old', changes)).toEqual(new Set(['old content']))
})

test('can lose a synced file whose name was not synced', () => {
  expect(contentsOf('new', [open(3, 'new'), write(3, 'text'), sync(3)])).toEqual(
    new Set(['text', null]),
  )
})

test('can leave a renamed file empty that was not synced before', () => {
  const renamed: Change = { kind: 'rename', path: at('new'), to: at('old') }
  const found = contentsOf('old', [open(3, 'new'), write(3, 'text'), renamed, ...syncRoot()])
  expect(found).toContain('')
  expect(found).toContain('text')
  expect(found).not.toContain('old content')
})

test('can leave either file after a rename that was not synced, and nothing else', () => {
  const renamed: Change = { kind: 'rename', path: at('new'), to: at('old') }
  expect(contentsOf('old', [open(3, 'new'), write(3, 'text'), sync(3), renamed])).toEqual(
    new Set(['old content', 'text']),
  )
})

test('tears a write at sectors', () => {
  const found = contentsOf('new', [
    open(3, 'new'),
    ...syncRoot(),
    write(3, `${'a'.repeat(512)}${'b'.repeat(512)}`),
  ])
  expect(found).toContain(`${'\0'.repeat(512)}${'b'.repeat(512)}`)
  expect(found).toContain('a'.repeat(512))
})

test('can bring back a deleted file, and undo a truncation', () => {
  expect(contentsOf('old', [{ kind: 'unlink', path: at('old') }])).toEqual(
    new Set(['old content', null]),
  )
  expect(contentsOf('old', [open(3, 'old'), { kind: 'truncate', file: 3, length: 3 }])).toEqual(
    new Set(['old content', 'old']),
  )
})
