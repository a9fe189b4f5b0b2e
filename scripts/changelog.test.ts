import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

const read = (path: string): string => readFileSync(join(root, path), 'utf8')

test('lists this version first, in the order and wording of Keep a Changelog', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  const text = read('CHANGELOG.md')
  const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading ?? '')
  expect(headings[0]).toBe('[Unreleased]')
  expect(headings[1]).toMatch(
    new RegExp(`^\\[${version.replaceAll('.', '[.]')}\\] - (unreleased|\\d{4}-\\d{2}-\\d{2})$`),
  )
  for (const heading of headings.slice(2))
    expect(heading).toMatch(/^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/)
  for (const [, kind] of text.matchAll(/^### (.*)$/gm))
    expect(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']).toContain(kind)
})
