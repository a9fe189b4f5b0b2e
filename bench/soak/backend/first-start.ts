/**
 * First starts on a new folder, or on one of the first version, that are killed: the next start
 * finds nothing or everything.
 */
import { mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { migrate } from '../../../server/store/database/migrate.ts'
import { migrations } from '../../../server/store/migrations/index.ts'
import { checkFolder } from './folder.ts'
import type { Findings } from './findings.ts'
import type { Figures } from './killing.ts'
import type { Kill } from './plan.ts'
import type { PowerCuts } from '../support/power-cuts.ts'
import { connect } from './service.ts'
import { startServer } from './server-process.ts'

const SEEDED = { seed: 'demo', products: 12 } as const

/** Products of a database that the first version wrote. */
function writeOldDatabase(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const database = new Database(path.join(folder, 'keydesk.sqlite'))
  migrate(database, migrations.slice(0, 1))
  database.exec(`INSERT INTO products (id, name, name_folded, platform, region, product_type,
      delivery_type, details, created_at, updated_at)
    VALUES ('old-1', 'Old', 'old', 'Steam', 'Global', 'game', 'key', '{}', 1, 1)`)
  database.close()
}

/** Row counts after a first start: the demo world is always the same for the same size. */
async function factsOf(folder: string, findings: Findings): Promise<string> {
  const server = startServer(folder, SEEDED)
  const ready = await server.ready
  if (ready === null) {
    findings.wrong(
      `a folder whose first start was killed does not start: ${(await server.ended).stderr}`,
    )
    return ''
  }
  const { dashboard } = connect(ready, () => ({ partners: [], sellers: [], products: [] }))
  const { ok, entries, sums } = (await dashboard.verifyLedger({})).body
  const facts = {
    ok,
    entries,
    sums,
    partners: (await dashboard.listPartners({})).body.total,
    sellers: (await dashboard.listSellers({})).body.total,
    disputes: (await dashboard.listAllDisputes({})).body.total,
    demo: ready.demo !== null,
  }
  checkFolder(folder, findings)
  server.signal('SIGKILL')
  await server.ended
  const database = new Database(path.join(folder, 'keydesk.sqlite'), { readonly: true })
  const counts = ['products', 'offers', 'units', 'orders', 'sales'].map((table) =>
    database.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
  )
  const version = database.pragma('user_version', { simple: true })
  database.close()
  return JSON.stringify({ ...facts, counts, version })
}

/** Row counts after starts that weren't killed, by kind. */
const untouched = new Map<boolean, string>()

/** Kills a first start; `folder` returns a new path on each call. */
export async function killFirstStart(
  kill: Kill,
  folder: () => string,
  findings: Findings,
  figures: Figures,
  cuts: PowerCuts | null,
): Promise<void> {
  const old = kill.strike?.crashPoint === 'migration.step' && kill.seed % 2 === 0
  const fresh = (): string => {
    const place = folder()
    if (old) writeOldDatabase(place)
    return place
  }
  const expected = untouched.get(old) ?? (await factsOf(fresh(), findings))
  untouched.set(old, expected)

  const place = fresh()
  const { strike } = kill
  const server = startServer(place, { ...SEEDED, cuts, ...(strike && { strike }) })
  const timer = setTimeout(
    () => server.signal('SIGKILL'),
    strike === null ? 2 * kill.afterMs : 10_000,
  )
  const { signal, code, stderr } = await server.ended
  clearTimeout(timer)
  if (signal !== 'SIGKILL')
    findings.wrong(`a first start exited on its own with ${code}: ${stderr}`)
  figures.kills += 1
  if (strike !== null)
    figures.atMoments[strike.crashPoint] = (figures.atMoments[strike.crashPoint] ?? 0) + 1
  const found = await factsOf(place, findings)
  if (found !== expected)
    findings.wrong(
      `after a first start killed at ${strike?.crashPoint ?? `${kill.afterMs} ms`} there ` +
        `is ${found}, not ${expected} (${readdirSync(place).join(', ')})`,
    )
}
