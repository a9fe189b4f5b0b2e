import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
const threats = page
  .slice(page.indexOf('## Threats'), page.indexOf('## Not covered'))
  .split(/\n\n(?=\*\*)/)
  .slice(1)
const proofs = threats.map((threat) =>
  [...threat.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, file = '', title = '']) => ({
    file,
    title,
  })),
)

/** Tests named for the stored data, the vault and the fuses. */
const named = page.slice(0, page.indexOf('## Attackers')) + page.slice(page.indexOf('## Fuses'))
const ofStoredData = [...named.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(
  ([, file = '', title = '']) => ({ file, title }),
)
/** Tests named in tables, such as those of Electron's checklist. */
const inTables = [...page.matchAll(/^\|.*\| `([^`]+\.tsx?)`: (.+) \|$/gm)].map(
  ([, file = '', title = '']) => ({ file, title }),
)

test('every threat names a test, and every named test exists with that title', () => {
  expect(threats.length).toBeGreaterThan(15)
  expect(proofs.every((each) => each.length > 0)).toBe(true)
  expect(inTables.length).toBe(20)
  expect(ofStoredData.length).toBeGreaterThan(20)
  const missing = [...proofs.flat(), ...inTables, ...ofStoredData].filter(
    ({ file, title }) =>
      !existsSync(join(root, file)) || !readFileSync(join(root, file), 'utf8').includes(title),
  )
  expect(missing).toEqual([])
})
