import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readManifest } from '../src/core/updates/manifest.ts'
import { changesOf } from './lib/changelog-changes.mjs'
import { root } from './lib/paths.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keydesk-sign-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const sign = (args: string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, ['scripts/update-sign.mjs', ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  })
const usual = ['--key-id', '2026-a', '--sequence', '3', '--floor', '0.1.0']

test('creates a private key for its owner alone, and signs with it a manifest that Keydesk accepts @long', () => {
  const key = join(folder, 'key.pem')
  const publicKey = sign(['--new-key', key]).stdout.trim()
  expect(statSync(key).mode & 0o777).toBe(0o600)
  const file = join(folder, 'keydesk_amd64.deb')
  writeFileSync(file, 'content')
  const out = join(folder, 'manifest.json')
  const files = [`linux-amd64-deb=${file}`]
  expect(sign([...usual, '--key', key, '--out', out, ...files]).status).toBe(0)
  const { manifest } = readManifest(readFileSync(out, 'utf8'), [{ id: '2026-a', publicKey }])
  expect(manifest).toMatchObject({ sequence: 3, rollout: 100, floor: '0.1.0' })
  expect(manifest.files).toEqual([
    expect.objectContaining({ name: 'keydesk_amd64.deb', bytes: 7, platform: 'linux-amd64-deb' }),
  ])
  expect(manifest.changes.length).toBeGreaterThan(0)
})

test('takes the key from a secret, and refuses one that others can read @long', () => {
  const key = join(folder, 'key.pem')
  sign(['--new-key', key])
  const out = join(folder, 'manifest.json')
  const args = [...usual, '--out', out, `linux-amd64-deb=${key}`]
  expect(sign(args).stderr).toContain('KEYDESK_UPDATE_KEY')
  expect(sign(args, { KEYDESK_UPDATE_KEY: readFileSync(key, 'utf8') }).status).toBe(0)
  const open = join(folder, 'open.pem')
  writeFileSync(open, readFileSync(key), { mode: 0o644 })
  expect(sign([...args, '--key', open]).stderr).toContain('Others can read')
})

test('reads the entries of one version as plain sentences', () => {
  const changelog = `# Changelog

## [1.5.0] - 2026-11-20

### Added

- **Today**: deadlines in
  one place.
- A [link](x.md) and \`code\`.

### Fixed

- One more.

## [1.4.0] - 2026-10-01

- Older.
`
  expect(changesOf(changelog, '1.5.0')).toEqual([
    'Today: deadlines in one place.',
    'A link and code.',
    'One more.',
  ])
  expect(changesOf(changelog, '1.6.0')).toEqual([])
})
