import { statSync } from 'node:fs'
import { join } from 'node:path'
import { automaticSnapshot, sandboxDatabase } from '../../../server/api/sandbox-database.ts'
import type { SandboxPoint } from '../../contract/sandbox/sandbox-control.ts'
import { type Clock, longAgo, msSince } from '../clock.ts'
import { Failure } from '../failure.ts'
import type { Dashboard } from './dashboard.ts'

type Reason = SandboxPoint['reason']

export interface Points {
  /** Newest first. */
  list(): Promise<SandboxPoint[]>
  /** Saves the present state, whatever its size, and keeps the point `kept`. */
  save(reason: Reason, kept?: string): Promise<void>
  /**
   * Saves the present state if its copies are small enough. A failure of the sandbox doesn't
   * prevent what follows.
   */
  offer(reason: Reason): Promise<void>
  /** The same, unless nothing changed since the last point. */
  offerIfChanged(): Promise<void>
}

/** Points are snapshots with such a name: the time and the reason. */
const pointName = new RegExp(`^${automaticSnapshot}(\\d{13,15})-(minute|clock|restore|reset|back)$`)
export const isPoint = (name: string): boolean => pointName.test(name)

const MAX_POINTS = 12
/** Of all points together. */
const MAX_BYTES = 128 * 1024 * 1024
/** Steps of the clock in quick succession share the point before the first. */
const CLOCK_MS = 10_000
const changing = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

function pointOf(name: string): SandboxPoint[] {
  const [, at, reason] = pointName.exec(name) ?? []
  return at === undefined ? [] : [{ name, at: Number(at), reason: reason as Reason }]
}

/** @param folder the sandbox's data folder */
export function createPoints(
  { call }: Pick<Dashboard, 'call'>,
  folder: string,
  clock: Pick<Clock, 'now' | 'monotonic'>,
): Points {
  let seen = ''
  let clockSaved = longAgo

  const list = async (): Promise<SandboxPoint[]> =>
    (await call('listSnapshots', {})).results
      .flatMap(({ name }) => pointOf(name))
      .toSorted((a, b) => b.at - a.at)

  /** How many points fit. */
  function room(): number {
    try {
      const { size } = statSync(join(folder, sandboxDatabase.file))
      return Math.min(MAX_POINTS, Math.floor(MAX_BYTES / Math.max(size, 1)))
    } catch {
      return 0
    }
  }

  /** Ids of the latest requests that can have changed something. */
  async function latestChanges(): Promise<string> {
    const pages = await Promise.all(
      changing.map((method) => call('listRequests', { query: { method, limit: 1 } })),
    )
    return pages.map(({ results }) => results[0]?.requestId ?? '').join(' ')
  }

  async function save(reason: Reason, kept?: string): Promise<void> {
    await call('createSnapshot', { body: { name: `${automaticSnapshot}${clock.now()}-${reason}` } })
    const fits = Math.max(room(), 1)
    for (const { name } of (await list()).slice(fits))
      if (name !== kept) await call('deleteSnapshot', { params: { name } })
    seen = await latestChanges()
  }

  async function offer(reason: Reason): Promise<void> {
    try {
      if (room() < 2) return
      if (reason === 'clock' && msSince(clock, clockSaved) < CLOCK_MS) return
      await save(reason)
      if (reason === 'clock') clockSaved = clock.monotonic()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
  }

  return {
    list,
    save,
    offer,
    async offerIfChanged() {
      try {
        if ((await latestChanges()) === seen) return
      } catch (error) {
        if (error instanceof Failure) return
        throw error
      }
      await offer('minute')
    },
  }
}
