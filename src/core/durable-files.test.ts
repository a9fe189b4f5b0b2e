import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder, syncFile, syncFolder, writeAtomically } from './durable-files.ts'
import { temporaryFolder } from './testing/context.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

test('creates a folder and its parents for their owner only, and accepts an existing one', () => {
  const path = join(folder.path, 'a', 'b', 'c')
  makeFolder(path)
  makeFolder(path)
  for (const made of [path, join(folder.path, 'a')]) expect(statSync(made).mode & 0o777).toBe(0o700)
})

test('reports a folder that can’t be created', () => {
  writeFileSync(join(folder.path, 'file'), '')
  expect(() => makeFolder(join(folder.path, 'file', 'below'))).toThrow(/ENOTDIR|EEXIST/)
  expect(() => syncFolder(join(folder.path, 'missing'))).toThrow('ENOENT')
})

test('replaces a file completely and leaves nothing beside it', () => {
  const path = join(folder.path, 'file')
  writeAtomically(path, 'old')
  writeAtomically(path, 'new')
  syncFile(path)
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(readdirSync(folder.path)).toEqual(['file'])
})

test('leaves the old file when the new one can’t be written', () => {
  const path = join(folder.path, 'file')
  writeAtomically(path, 'old')
  mkdirSync(`${path}.part`)
  expect(() => writeAtomically(path, 'new')).toThrow('EISDIR')
  expect(existsSync(path) && readFileSync(path, 'utf8')).toBe('old')
})
