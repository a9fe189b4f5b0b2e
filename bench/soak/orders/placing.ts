import type { RouterClient } from '@orpc/server'
import type { Cents } from '../../../server/api/money.ts'
import type { Core } from '../../../src/core/create-core.ts'
import { createDeadline } from '../support/deadline.ts'
import { attempt } from '../sync/day.ts'
import type { serviceOf } from './truth.ts'

export type Ask = RouterClient<Core['router']>
export type Wanted = { externalId: string; productId: string; qty: number; maxUnitCents: Cents }
export type Rest = {
  open: number
  attempts: Record<string, { state: string; orderId: string | null; chargedCents: Cents | null }>
  balanceCents: Cents | null
  mirrored: number
}

/** A bad network may require more than one try. */
export async function connected<T>(connect: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await connect()
    } catch (error) {
      if (tries === 20) throw error
    }
  }
}

/**
 * Places every order once, a few at a time; rejected and unanswered ones are left to the console.
 */
export async function placeAll(
  ask: Ask,
  accountId: string,
  wanted: readonly Wanted[],
  atOnce: number,
  asked: (externalId: string) => void,
): Promise<void> {
  const queue = [...wanted]
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { externalId, ...line } = next
        asked(externalId)
        await attempt(ask.orders.place({ accountId, externalId, lines: [line], waitSeconds: 0 }))
      }
    }),
  )
}

/** Places a table of orders, each of them once, unless an earlier process of the console did. */
export async function placeTable(
  ask: Ask,
  accountId: string,
  table: readonly Wanted[],
): Promise<void> {
  if (table.length === 0 || (await ask.orders.bulks({ accountId })).length > 0) return
  await ask.orders.placeMany({
    accountId,
    name: 'orders.csv',
    orders: table.map(({ externalId, ...line }) => ({ externalId, lines: [line] })),
  })
}

/**
 * The result of every attempt, once none is open, no order is being delivered, and the console has
 * read the service's current balance and orders.
 */
export async function attemptsAtRest(
  ask: Ask,
  accountId: string,
  service: ReturnType<typeof serviceOf>,
  withinMs = 240_000,
): Promise<Rest> {
  const isOver = createDeadline(withinMs)
  for (;;) {
    await attempt(ask.accounts.syncNow({ accountId }))
    // Before the attempts: a table that is done makes no more of them.
    const tables = (await ask.orders.bulks({ accountId })).filter(({ state }) => state !== 'done')
    const attempts = await ask.orders.attempts({ accountId })
    const open = attempts.filter(({ state }) => state === 'sending' || state === 'unknown')
    for (const { attemptId } of open)
      await attempt(ask.orders.checkAttempt({ accountId, attemptId }))
    for (const { bulkId, state } of tables)
      if (state !== 'running')
        await attempt(ask.orders.controlBulk({ accountId, bulkId, action: 'resume' }))
    const { total, byStatus } = await ask.orders.list({ accountId })
    const { balanceCents } = await ask.spending.balance({ accountId })
    const settled =
      open.length === 0 &&
      tables.length === 0 &&
      (byStatus['processing'] ?? 0) === 0 &&
      balanceCents === (await service.balanceCents()) &&
      total === (await service.orders()).size
    if (settled || isOver()) {
      return {
        open: open.length + tables.length,
        balanceCents,
        mirrored: total,
        // The newest attempt of a reference counts: a table places an order again whose first attempt
        // was certainly rejected, for example by a rate limit.
        attempts: Object.fromEntries(
          attempts
            .toReversed()
            .map(({ externalId, state, orderId, chargedCents }) => [
              externalId,
              { state, orderId, chargedCents },
            ]),
        ),
      }
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}
