import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProver, proofKeyFile } from './proof.ts'

let data = ''
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'keydesk-proof-'))
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

test('a published key is readable by its owner alone, and removed at the end', () => {
  const folder = join(data, 'published', 'keys')
  const prover = createProver(data, folder)
  const { publicKey } = prover.prove('a')
  expect(readdirSync(folder)).toEqual([`${publicKey}.pub`])
  expect(statSync(join(folder, `${publicKey}.pub`)).mode & 0o777).toBe(0o600)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  prover.withdraw()
  expect(readdirSync(folder)).toEqual([])
})

test('a data folder keeps its key, and replaces a damaged one', () => {
  const first = createProver(data, null).prove('a')
  expect(createProver(data, null).prove('a')).toEqual(first)
  writeFileSync(proofKeyFile(data), 'damaged')
  expect(createProver(data, null).prove('a').publicKey).not.toBe(first.publicKey)
})

test('starts without a folder for its key', () => {
  writeFileSync(join(data, 'file'), '')
  expect(createProver(data, join(data, 'file', 'keys')).prove('a').hmac).toMatch(/^[0-9a-f]{64}$/)
})
