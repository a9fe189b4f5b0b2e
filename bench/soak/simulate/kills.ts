import SqliteDatabase from 'better-sqlite3'
import type { Step } from './network.ts'

/**
 * Where a console is killed: after a number of requests at one of their steps, and then after some
 * awaits; or after a number of statements that write to its databases, or to those of one kind.
 */
export type KillPoint =
  | { at: Step; after: number; awaits: number }
  | { at: 'statement'; after: number; in: (typeof places)[number] }

/**
 * Parts of the paths of the console's databases, of which the first is part of all, and of a rare
 * statement: writing a product of a page.
 */
const places = [
  '',
  '/catalogues/',
  '/journals/',
  '/mirrors/',
  '/keydesk.db',
  'UPDATE products SET name',
] as const

const steps = ['sent', 'served', 'received', 'received', 'statement', 'statement'] as const

export function randomKillPoint(below: (limit: number) => number): KillPoint {
  const at = steps[below(steps.length)] ?? 'sent'
  if (at !== 'statement') return { at, after: 1 + below(60), awaits: below(2) * below(60) }
  // Most statements write to few of the databases, so that each kind gets kills of its own.
  const kind = places[below(places.length)] ?? ''
  return { at, in: kind, after: 1 + below(kind === '' ? (below(3) === 0 ? 2000 : 300) : 60) }
}

type Statement = {
  run: (...values: unknown[]) => unknown
  database: { name: string }
  source: string
}
type Prototype = { run: (this: Statement, ...values: unknown[]) => unknown }

/** Called after each statement that wrote to a database. */
let wrote: (path: string, sql: string) => void = () => {}

/** Observes every write of this process's databases. */
export function observeWrites(): void {
  const database = new SqliteDatabase(':memory:')
  const prototype = Object.getPrototypeOf(database.prepare('SELECT 1')) as Prototype
  database.close()
  const { run } = prototype
  prototype.run = function (...values) {
    const result = run.apply(this, values)
    wrote(this.database.name, this.source)
    return result
  }
}

/** Kills the console at one point at a time. */
export function createKiller(parts: { dataDir: () => string; kill: () => void }) {
  let armed: KillPoint | null = null
  let left = 0

  function count(at: KillPoint['at']): boolean {
    if (armed?.at !== at || (left -= 1) > 0) return false
    return true
  }
  async function strike(awaits: number): Promise<void> {
    for (let passed = 0; passed < awaits; passed += 1) await Promise.resolve()
    parts.kill()
  }
  wrote = (path, sql) => {
    if (armed?.at !== 'statement' || !path.startsWith(parts.dataDir())) return
    if (!path.includes(armed.in) && !sql.includes(armed.in)) return
    if (!count('statement')) return
    armed = null
    parts.kill()
  }
  return {
    arm(point: KillPoint | null): void {
      armed = point
      left = point?.after ?? 0
    },
    passing(step: Step): void {
      if (armed === null || armed.at === 'statement' || !count(step)) return
      const { awaits } = armed
      armed = null
      void strike(awaits)
    },
  }
}
