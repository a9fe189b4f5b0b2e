/** The handler's actions, as it reports them: by a probe address, or in a log file. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { z } from 'zod'

/** `units`: ids of units in the order they were handed on, repeats included. */
export type Observed = {
  readonly units: readonly { id: string; order: string }[]
  /** State of each order that the handler treats as live; null if it reports none. */
  readonly orders: readonly { id: string; status: string }[] | null
}
export type Observe = (orders: readonly string[]) => Promise<Observed>

const PROBE_LIMIT_MS = 10_000

const probeAnswer = z.object({
  units: z.array(z.object({ id: z.string(), order: z.string() })),
  orders: z.array(z.object({ id: z.string(), status: z.string() })).optional(),
})
const logLine = z.object({
  order: z.string(),
  unit: z.string().optional(),
  status: z.string().optional(),
})

/** The handler reported something that isn't in the documented form. */
export class ObservationError extends Error {
  override readonly name = 'ObservationError'
}

const only = ({ units, orders }: Observed, ids: readonly string[]): Observed => ({
  units: units.filter(({ order }) => ids.includes(order)),
  orders: orders?.filter(({ id }) => ids.includes(id)) ?? null,
})

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Reads the state from an address; `?orders=` names the orders, which the handler can ignore. */
export function byProbe(url: URL): Observe {
  return async (ids) => {
    const asked = new URL(url)
    asked.searchParams.set('orders', ids.join(','))
    const answer = await fetch(asked, { signal: AbortSignal.timeout(PROBE_LIMIT_MS) }).catch(
      () => null,
    )
    if (answer === null) throw new ObservationError(`${url.href} doesn't answer.`)
    const parsed = probeAnswer.safeParse(await answer.json().catch(() => null))
    if (!answer.ok || !parsed.success)
      throw new ObservationError(
        `${url.href} must answer {"units": [{"id", "order"}], "orders": [{"id", "status"}]}.`,
      )
    return only({ units: parsed.data.units, orders: parsed.data.orders ?? null }, ids)
  }
}

/**
 * Reads the lines that a handler appended to a file: `{"order", "unit"}` for a unit handed on,
 * `{"order", "status"}` for an order's state.
 */
export function byLog(path: string): Observe {
  const units = new Map<string, string[]>()
  const states = new Map<string, string>()
  let [offset, rest] = [0, '']
  function take(line: string): void {
    const parsed = logLine.safeParse(jsonOf(line))
    if (!parsed.success)
      throw new ObservationError(`${path} has a line that isn't {"order", "unit"} or "status".`)
    const { order, unit, status } = parsed.data
    if (unit !== undefined) units.set(order, [...(units.get(order) ?? []), unit])
    if (status !== undefined) states.set(order, status)
  }
  function readNew(): void {
    if (!existsSync(path)) return
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(fstatSync(file).size - offset)
      offset += readSync(file, bytes, 0, bytes.length, offset)
      const lines = `${rest}${bytes.toString('utf8')}`.split('\n')
      // A kill can leave a part of a line.
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') take(line)
    } finally {
      closeSync(file)
    }
  }
  return async (ids) => {
    readNew()
    return {
      units: ids.flatMap((order) => (units.get(order) ?? []).map((id) => ({ id, order }))),
      orders:
        states.size === 0
          ? null
          : ids.flatMap((id) => {
              const status = states.get(id)
              return status === undefined ? [] : [{ id, status }]
            }),
    }
  }
}
