import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { overwritePage, PAGE, writeProducts } from '../testing/damage.ts'
import { findDamage } from './file-check.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'keydesk-file-check-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const file = (name: string): string => path.join(folder, name)

const damageIn = (target: string): string | null => {
  const steps = findDamage(target)
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
/** SQLite's own result for the complete file in one check. */
function checkAtOnce(target: string): string | null {
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
  writeProducts(file('intact.db'))
  expect(damageIn(file('intact.db'))).toBeNull()
  const pages = Math.floor(statSync(file('intact.db')).size / PAGE)
  expect(pages).toBeGreaterThan(60)
  let damaged = 0
  for (let page = 0; page < pages; page += 1) {
    for (const byte of [0x00, 0x5a]) {
      copyFileSync(file('intact.db'), file('damaged.db'))
      overwritePage(file('damaged.db'), page, byte)
      const known = checkAtOnce(file('damaged.db'))
      expect([page, byte, damageIn(file('damaged.db')) !== null]).toEqual([
        page,
        byte,
        known !== null,
      ])
      if (known !== null) damaged += 1
    }
  }
  expect(damaged).toBeGreaterThan(pages)
})
