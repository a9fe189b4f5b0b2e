import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import DatabaseConstructor from 'better-sqlite3'
import { seeded } from '../../e2e/support/seeded.ts'
import { startBackend } from '../../src/core/mirror/testing/backend.ts'
import type { DemoBackend } from '../../src/core/mirror/testing/backend.ts'
import type { ConsoleOptions } from './sync/console.ts'

export const defaultRounds = 20

type Options = { rounds: number; seed: number; log: (text: string) => void; products?: number; killsARound?: number }
type AccountRef = { id: string; role: 'partner' | 'seller' }
type Served = { id: string; facts: string }
export type SyncSoak = { lost: number; twice: number; wrong: number; kills: number; midway: number; products: number; pagesMirrored: number }

const consoleFile = path.join(import.meta.dirname, 'sync', 'console.ts')

/** Numbers in [0, 1) that a seed repeats. */
function randomFrom(seed: number): () => number {
  const below = seeded(seed)
  return () => below(2 ** 30) / 2 ** 30
}

/** Runs one console. `killAfterMs`: SIGKILL so long after its accounts work; null: it may finish. */
async function runConsole(options: ConsoleOptions, killAfterMs: number | null): Promise<{ accounts: AccountRef[]; finished: boolean; midway: boolean }> {
  const child = spawn(process.execPath, [consoleFile], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  child.stdin.write(`${JSON.stringify(options)}\n`)
  let accounts: AccountRef[] = []
  const states = new Map<string, string>()
  for await (const line of createInterface({ input: child.stdout })) {
    const said = JSON.parse(line) as { accounts?: AccountRef[]; accountId?: string; state?: string }
    if (said.accounts !== undefined) {
      accounts = said.accounts
      if (killAfterMs !== null) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    } else if (said.accountId !== undefined) states.set(said.accountId, said.state ?? '')
  }
  const [code, signal] = await ended as [number | null, string | null]
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`the console ended with ${code ?? signal}`)
  return { accounts, finished: code === 0, midway: [...states.values()].includes('running') }
}

async function served(url: string, key: string, idOf: (product: Record<string, unknown>) => unknown, factsOf: (product: Record<string, unknown>) => unknown): Promise<Served[]> {
  const all: Served[] = []
  for (let page = 1; ; page += 1) {
    const answer = await fetch(`${url}&page=${page}`, { headers: { authorization: `Bearer ${key}` } })
    const { results, hasMore } = await answer.json() as { results: Record<string, unknown>[]; hasMore: boolean }
    all.push(...results.map((product) => ({ id: String(idOf(product)), facts: JSON.stringify(factsOf(product)) })))
    if (!hasMore) return all
  }
}

const inCents = (euros: unknown): number | null => (euros === null ? null : Math.round(Number(euros) * 100))

/** What the service says now, by its own lists. */
const truthOf = (backend: DemoBackend, role: AccountRef['role']): Promise<Served[]> => role === 'partner'
  ? served(`${backend.baseUrl}/products?limit=100&includeRemoved=true`, backend.demo.partnerLiveKey, (each) => each['id'],
    (each) => [each['name'], each['platform'], each['region'], inCents(each['price']), Number(each['inStock']), each['qty'], Number(each['removed']), Date.parse(String(each['updatedAt']))])
  : served(`${backend.sellerUrl}/products?limit=100`, backend.demo.sellerKey, (each) => each['productId'],
    (each) => [each['name'], each['platform'], each['region'], inCents(each['shopPrice']), inCents(each['bestSellerPrice'])])

/** What the mirror says, read from its file; `twice` counts records that the word index holds more or less often than once. */
function mirrorOf(file: string, role: AccountRef['role']): { rows: Served[]; twice: number } {
  const db = new DatabaseConstructor(file, { readonly: true })
  try {
    const columns = role === 'partner' ? 'name, platform, region, price_cents, in_stock, qty, removed, updated_at' : 'name, platform, region, price_cents, best_seller_cents'
    const rows = db.prepare(`SELECT product_id, ${columns} FROM products ${role === 'partner' ? '' : 'WHERE removed = 0'}`).raw().all() as unknown[][]
    const [present, indexed] = ['SELECT count(*) FROM products WHERE removed = 0', 'SELECT count(*) FROM product_index'].map((sql) => db.prepare(sql).pluck().get() as number) as [number, number]
    return { rows: rows.map(([id, ...facts]) => ({ id: String(id), facts: JSON.stringify(facts) })), twice: Math.abs(indexed - present) }
  } finally {
    db.close()
  }
}

function compare(truth: readonly Served[], rows: readonly Served[]): { lost: number; wrong: number } {
  const mirrored = new Map(rows.map((row) => [row.id, row.facts]))
  const lost = truth.filter(({ id }) => !mirrored.has(id)).length
  const wrong = truth.filter(({ id, facts }) => mirrored.has(id) && mirrored.get(id) !== facts).length
  return { lost, wrong: wrong + rows.length - (truth.length - lost) }
}

/**
 * Full syncs of a partner's and a seller's catalogue by a real core process that is killed at random moments while the real service's
 * products change. At the end of each round the mirrors must equal what the service lists: `lost` products are missing, `twice` are
 * in the word index more often than once, `wrong` differ or don't exist. `midway` of the `kills` hit a listing under way.
 */
export default async function soakSync({ rounds, seed, log, products = 8000, killsARound = 4 }: Options): Promise<SyncSoak> {
  const random = randomFrom(seed)
  const backend = await startBackend(products)
  const result: SyncSoak = { lost: 0, twice: 0, wrong: 0, kills: 0, midway: 0, products, pagesMirrored: 0 }
  try {
    const ids = (await truthOf(backend, 'partner')).map(({ id }) => id)
    for (let round = 1; round <= rounds; round += 1) {
      const folder = mkdtempSync(path.join(tmpdir(), 'keydesk-soak-'))
      try {
        const options = { dataDir: path.join(folder, 'data'), keychainFile: path.join(folder, 'keychain.json'), baseUrl: backend.baseUrl, keys: [backend.demo.partnerLiveKey, backend.demo.sellerKey] }
        for (let kill = 0; kill < killsARound; kill += 1) {
          const { finished, midway } = await runConsole(options, Math.floor(random() ** 2 * products / 4))
          result.kills += Number(!finished)
          result.midway += Number(!finished && midway)
          for (let change = 0; change < 5; change += 1) {
            const id = ids[Math.floor(random() * ids.length)] ?? ''
            await backend.dashboard('PATCH', `/products/${id}`, random() < 0.3 ? { removed: random() < 0.5 } : { name: `Renamed ${Math.floor(random() * 1e6)}`, supplyUnknown: random() < 0.5 })
          }
        }
        const { accounts } = await runConsole(options, null)
        for (const { id, role } of accounts) {
          const { rows, twice } = mirrorOf(path.join(options.dataDir, 'mirrors', `${id}.db`), role)
          const { lost, wrong } = compare(await truthOf(backend, role), rows)
          result.lost += lost
          result.twice += twice
          result.wrong += wrong
          result.pagesMirrored += Math.ceil(rows.length / 100)
        }
        log(`round ${round}: ${result.kills} kills so far, lost ${result.lost}, twice ${result.twice}, wrong ${result.wrong}`)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    }
  } finally {
    await backend.stop()
  }
  return result
}
