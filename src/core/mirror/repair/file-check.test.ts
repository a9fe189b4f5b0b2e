import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { catalogueSchema } from '../../catalogue/schema.ts'
import { generatedProducts, putProducts } from '../../catalogue/testing/products.ts'
import { testWorker } from '../../testing/workers.ts'
import { openDatabase } from '../database/open-database.ts'
import { checkFiles, findDamage } from './file-check.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keydesk-wholeness-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string): string => path.join(folder, name)

function fill(to: string): void {
  const db = openDatabase(to, [catalogueSchema])
  putProducts(db, generatedProducts(600))
  db.exec('DELETE FROM product_texts WHERE rid % 3 = 0')
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}
const PAGE = 4096
function overwrite(target: string, page: number, fill: number): void {
  const open = openSync(target, 'r+')
  writeSync(open, Buffer.alloc(PAGE, fill), 0, PAGE, page * PAGE)
  closeSync(open)
}
const lastWord = (target: string): string | null => {
  const looks = findDamage(target)
  for (;;) {
    const { done, value } = looks.next()
    if (done === true) return value
  }
}
/** SQLite's own result for the complete file in one check. */
function wholeCheck(target: string): string | null {
  try {
    const db = new SqliteDatabase(target, { readonly: true })
    try {
      const found = (db.pragma('quick_check') as { quick_check: string }[])
        .map((row) => row.quick_check)
        .find((text) => text !== 'ok' && !/^Page \d+: never used$/.test(text))
      return found ?? null
    } finally {
      db.close()
    }
  } catch (error) {
    return (error as Error).message
  }
}

test('checking table by table finds all damage that SQLite finds in one check, whichever page is overwritten', () => {
  fill(file('whole.db'))
  expect(lastWord(file('whole.db'))).toBeNull()
  const pages = Math.floor(statSync(file('whole.db')).size / PAGE)
  expect(pages).toBeGreaterThan(60)
  let damaged = 0
  for (let page = 0; page < pages; page += 1) {
    for (const byte of [0x00, 0x5a]) {
      copyFileSync(file('whole.db'), file('torn.db'))
      overwrite(file('torn.db'), page, byte)
      const known = wholeCheck(file('torn.db'))
      expect([page, byte, lastWord(file('torn.db')) !== null]).toEqual([page, byte, known !== null])
      if (known !== null) damaged += 1
    }
  }
  expect(damaged).toBeGreaterThan(pages)
})

test('repairs only the damaged file of an account, and waits for idle time before each long read', async () => {
  for (const name of [
    'a.journal',
    'a.mirror',
    'a.catalogue',
    'b.journal',
    'b.mirror',
    'b.catalogue',
  ])
    fill(file(name))
  overwrite(file('b.catalogue'), 20, 0x5a)
  const repaired: string[] = []
  const [steps, reports] = [{ rests: 0 }, [] as unknown[]]
  await checkFiles(
    {
      worker: () => testWorker('mirror-check'),
      accounts: () => ['a', 'b'],
      files: {
        journal: (id) => file(`${id}.journal`),
        mirror: (id) => file(`${id}.mirror`),
        catalogue: (id) => file(`${id}.catalogue`),
      },
      repair: async (id, place) => void repaired.push(`${id} ${place}`),
      whenIdle: async () => {
        steps.rests += 1
      },
      report: (_where, error) => void reports.push(error),
    },
    new AbortController().signal,
  )
  expect(reports).toEqual([])
  expect(repaired).toEqual(['b catalogue'])
  expect(steps.rests).toBeGreaterThan(3 * 5)
})

test('an account removed during its check leaves nothing open and nothing to report', async () => {
  fill(file('a.db'))
  const [reports, accounts] = [[] as unknown[], ['a']]
  let rests = 0
  await checkFiles(
    {
      worker: () => testWorker('mirror-check'),
      accounts: () => accounts,
      files: {
        journal: () => file('none.db'),
        mirror: () => file('a.db'),
        catalogue: () => file('a.db'),
      },
      repair: async () => {},
      report: (where) => void reports.push(where),
      whenIdle: async () => {
        rests += 1
        if (rests !== 3) return
        const { ino } = statSync(file('a.db'))
        if (process.platform === 'linux')
          expect(
            readdirSync('/proc/self/fd').filter(
              (fd) => statSync(`/proc/self/fd/${fd}`, { throwIfNoEntry: false })?.ino === ino,
            ),
          ).toEqual([])
        rmSync(file('a.db'))
        accounts.pop()
      },
    },
    new AbortController().signal,
  )
  expect(rests).toBe(3)
  expect(reports).toEqual(['check of the journal'])
})

test('a canceled check stops, also while it waits', async () => {
  fill(file('a.db'))
  const stop = new AbortController()
  const reports: unknown[] = []
  const check = checkFiles(
    {
      worker: () => testWorker('mirror-check'),
      accounts: () => ['a'],
      files: {
        journal: () => file('a.db'),
        mirror: () => file('a.db'),
        catalogue: () => file('a.db'),
      },
      repair: async () => {},
      whenIdle: () => new Promise(() => {}),
      report: (_where, error) => void reports.push(error),
    },
    stop.signal,
  )
  setTimeout(() => stop.abort(), 400)
  await check
  expect(reports).toEqual([])
})
