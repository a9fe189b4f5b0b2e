import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../mirror/database/open-database.ts'
import { testWorker } from '../../testing/workers.ts'
import { createCatalogueReader } from './reader.ts'
import { createReaderTask } from './reader-task.ts'
import { warmUpTexts } from './warm-up.ts'
import { catalogueSchema } from '../schema.ts'
import { filterOf, productFacts, putProducts } from '../testing/products.ts'

let folder: string
let db: Database
const file = (): string => path.join(folder, 'a.db')
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keydesk-rehearsal-'))
  db = openDatabase(file(), [catalogueSchema])
})
afterEach(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})
const put = (...names: string[]): void =>
  putProducts(
    db,
    names.map((name, at) => productFacts({ productId: `prd_${at}`, name })),
  )

test('types names letter by letter, each with a mistake; an empty catalogue has none', () => {
  expect(warmUpTexts(db, 0)).toEqual([])
  put('Witcher 3')
  expect(warmUpTexts(db, 1).slice(0, 9)).toEqual([
    'w',
    'wi',
    'wit',
    'with',
    'withe',
    'wither',
    'wither ',
    'wither 3',
    'w',
  ])
})

test('searches one text per step, and stops when the mirror is closed', () => {
  put('Witcher 3', 'Legends of War')
  const mirrors = createReaderTask()
  const all = [...mirrors.warmUp(file())]
  expect(all).toHaveLength(warmUpTexts(db, 2).length)

  const steps = mirrors.warmUp(file())
  expect(steps.next().done).toBe(false)
  mirrors.letGo(file())
  expect(steps.next().done).toBe(true)
})

test.runIf(process.platform === 'linux')(
  "a thread that warmed up doesn't reopen a mirror it has closed",
  async () => {
    put('Witcher 3')
    const reader = createCatalogueReader({
      worker: () => testWorker('catalogue-reader'),
      database: () => db,
      path: file,
      report: () => {},
    })
    const search = () =>
      reader.read<'search'>('a', {
        what: 'search',
        filter: filterOf({ query: 'wit' }),
        sort: null,
        window: { offset: 0, limit: 50 },
      })
    await search()
    await reader.release('a')
    db.close()
    renameSync(file(), path.join(folder, 'aside.db'))
    copyFileSync(path.join(folder, 'aside.db'), file())
    const { ino } = statSync(file())
    const isOpen = (): boolean =>
      readdirSync('/proc/self/fd').some(
        (fd) => statSync(`/proc/self/fd/${fd}`, { throwIfNoEntry: false })?.ino === ino,
      )
    await wait(600)
    expect(isOpen()).toBe(false)

    db = openDatabase(file(), [catalogueSchema])
    await search()
    expect(isOpen()).toBe(true)
    await reader.close()
  },
)
