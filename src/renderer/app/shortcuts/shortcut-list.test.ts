import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dialogs, everywhere, pageShortcuts, table } from './shortcut-list.ts'
import { pagesOf, settingsPage } from '../pages/pages.ts'

const features = 'src/renderer/features'
/** How the sheet shows keys whose event names differ. */
const drawn: Record<string, string> = {
  ' ': 'Space',
  Delete: 'Del',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
}
const nameOf = (combination: string): string =>
  combination
    .split('+')
    .map((key) => drawn[key] ?? (key.length === 1 ? key.toUpperCase() : key))
    .join(' ')
const told = (keys: readonly string[]): string[] =>
  keys[0] === '1…3' ? ['1', '2', '3'] : [keys.join(' ')]

/** Keys that move, open, close and confirm in every list are listed once for all pages. */
const common = new Set([
  ...[...table, ...dialogs, ...everywhere].flatMap(({ keys }) => told(keys)),
  '↑',
  '↓',
])

/** The keys that are listed for the pages of a feature. */
const listedFor = (feature: string): ReadonlySet<string> =>
  new Set(
    pageShortcuts
      .filter(({ features: owners }) => owners.includes(feature))
      .flatMap(({ shortcuts }) => shortcuts.flatMap(({ keys }) => told(keys))),
  )
/** The components of a feature as one text. */
const sourceOf = (feature: string): string =>
  readdirSync(join(features, feature), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => readFileSync(join(features, feature, name), 'utf8'))
    .join('\n')

test('lists every key a page listens to under that page', () => {
  const missing = readdirSync(features).flatMap((feature) => {
    const listed = listedFor(feature)
    const source = sourceOf(feature)
    const used = new Set(
      [...source.matchAll(/useShortcut\('([^']+)'/g)].map(([, key]) => nameOf(key ?? '')),
    )
    return [...used]
      .filter((key) => !common.has(key) && !listed.has(key))
      .map((key) => `${feature}: ${key}`)
  })
  expect(missing).toEqual([])
})

test('lists the digits of every page whose rows they edit', () => {
  const edited = readdirSync(features).filter((feature) => sourceOf(feature).includes('onEdit='))
  expect(edited).toContain('offers')
  expect(edited.filter((feature) => !listedFor(feature).has('0…9'))).toEqual([])
})

test('gives each page its own letter after G', () => {
  for (const role of ['seller', 'partner'] as const) {
    const letters = [...pagesOf(role), settingsPage].map(({ letter }) => letter)
    expect(letters.length).toBe(new Set(letters).size)
  }
})
