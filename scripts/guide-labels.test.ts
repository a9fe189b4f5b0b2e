import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './lib/paths.mjs'

/* A guide that names a button which isn't there costs a reader more than no guide. */

/** Bold text in guides that isn't a label of the screen. */
const notLabels = new Set(['Result'])

const screens = globSync('src/renderer/**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !path.includes('.test.'))
  .map((path) => readFileSync(join(root, path), 'utf8').replaceAll(/\s+/g, ' '))
  .join('\n')

const unknownLabels = (path: string, pattern: RegExp): string[] =>
  [...readFileSync(join(root, path), 'utf8').matchAll(pattern)]
    .map(([, label = '']) => label)
    .filter((label) => !notLabels.has(label) && !screens.includes(label))

test('the table of dashboard operations names only labels that a screen has', () => {
  expect(unknownLabels('docs/service/dashboard-operations.md', /\*([^*]+)\*/g)).toEqual([])
})

test.each(globSync('docs/guide/*.md', { cwd: root }).sort())(
  '%s names only labels that a screen has',
  (path) => {
    expect(unknownLabels(path, /\*\*([^*]+)\*\*/g)).toEqual([])
  },
)
