import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readAudit } from './lib/audit-report.mjs'
import { notices } from './lib/notices.mjs'
import { shippedPackages } from './lib/shipped-packages.mjs'

const licenses = /^\(?(MIT|MIT-0|ISC|0BSD|BSD-\d-Clause|Apache-2\.0|Unlicense|OFL-1\.1|CC0-1\.0)\b/

test('the notices and the bill of materials describe the locked packages', () => {
  for (const { path, text } of notices())
    expect(
      readFileSync(path, 'utf8') === text,
      `${path} is outdated: run \`npm run notices\``,
    ).toBe(true)
})

test('everything that Keydesk contains has a license that lets it be passed on, and a checksum', () => {
  const packages = shippedPackages()
  expect(packages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['react', 'better-sqlite3', 'fastify', 'electron', 'scheduler']),
  )
  expect(packages.filter(({ license }) => !licenses.test(license))).toEqual([])
  expect(packages.filter(({ integrity }) => !integrity.startsWith('sha512-'))).toEqual([])
})

test('reports advisories, and says so when a registry offers none', () => {
  const found = { react: { name: 'react', severity: 'high', range: '<19.4.0' } }
  expect(readAudit(JSON.stringify({ vulnerabilities: found }))).toEqual({
    status: 1,
    text: 'high: react <19.4.0',
  })
  expect(readAudit('{"vulnerabilities":{}}').status).toBe(0)
  for (const output of ['', '<html>', '{"message":"405 Method Not Allowed"}', 'null'])
    expect(readAudit(output)).toEqual({ status: 2, text: expect.stringContaining('no advisories') })
})
