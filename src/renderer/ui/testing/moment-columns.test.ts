import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { momentWidth } from '../table/columns/columns.ts'

const folder = 'src/renderer/features'
/** The columns of all tables with a date and time in their cells, and their width in the source. */
const columns = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => /(?:columns|page|view)\.tsx$/.test(name))
  .flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split(/(?=\bid: ')/)
      .map((text) => text.slice(0, text.search(/\n\s*\},?\n/) + 1 || undefined))
      .filter((text) => /\bwidth: /.test(text) && /\bformatMoment\(|Moment at=/.test(text))
      .map((text) => ({ name, width: /\bwidth: (?<width>\w+)/.exec(text)?.groups?.['width'] })),
  )

test('gives a moment of another year, which has no "today", its complete width in every table', () => {
  expect(columns.length).toBeGreaterThan(8)
  expect(
    columns.filter(({ width }) => width !== 'momentWidth' && Number(width) < momentWidth),
  ).toEqual([])
})
