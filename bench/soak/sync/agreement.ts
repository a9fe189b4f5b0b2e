import path from 'node:path'
import { createDeadline } from '../support/deadline.ts'
import { attempt, downloadAllKeys, sendOutbox } from './day.ts'
import type { SoakAccounts } from './day.ts'
import { addUp, attemptsIn, compare, isEqual, readMirror, noDifference } from './truth.ts'
import type { Difference, Served } from './truth.ts'

type Parts = SoakAccounts & {
  dataDir: string
  served: Served
  /** Orders requested in this console, by their references. */
  references: ReadonlySet<string>
  withinMs: number
  /** Between two comparisons. */
  pauseMs?: number
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/**
 * Compares until both sides agree; returns the last difference if they don't within `withinMs` and
 * several retries.
 */
export async function untilEqual(
  look: () => Promise<Difference>,
  again: () => Promise<unknown>,
  { withinMs, pauseMs = 30 }: Pick<Parts, 'withinMs' | 'pauseMs'>,
): Promise<Difference> {
  const isOver = createDeadline(withinMs)
  for (;;) {
    const difference = await look()
    if (isEqual(difference) || isOver()) return difference
    await again()
    await pause(pauseMs)
  }
}

/**
 * An attempt settled as placed is at the service once, a rejected one is not there, and none stays
 * open.
 */
async function compareAttempts({
  partner,
  served,
  references,
  dataDir,
}: Parts): Promise<Difference> {
  const orders = await served.orders()
  const counts = Map.groupBy(orders, ({ externalId }) => externalId)
  const states = attemptsIn(path.join(dataDir, 'journals', `${partner}.db`))
  return addUp(
    ...[...references].map((reference) => {
      const there = counts.get(reference)?.length ?? 0
      const own = states.get(reference) ?? []
      const placed = own.filter((state) => state === 'placed').length
      const found = {
        lost: Number(placed > 0 && there === 0),
        twice: Math.max(0, there - 1) + Math.max(0, placed - 1),
        wrong:
          Number(placed === 0 && there > 0) +
          own.filter((state) => state === 'sending' || state === 'unknown').length,
      }
      const text = `${reference} is ${own.join(', ') || 'not attempted'}, ${there} at the service`
      return isEqual(found) ? found : { ...found, such: [text] }
    }),
  )
}

/** Each stored key can be decrypted and equals the service's; each delivered unit is stored. */
async function compareKeys({ ask, partner, served }: Parts): Promise<Difference> {
  const { rows } = await ask.orders.list({ accountId: partner, window: { offset: 0, limit: 500 } })
  return addUp(
    ...(await Promise.all(
      rows
        .filter(({ deliveredUnits }) => deliveredUnits > 0)
        .map(async ({ orderId }) => {
          const { keys } = await ask.orders.order({ accountId: partner, orderId })
          const values = (
            await Promise.all(
              keys.map(({ keyId }) => ask.orders.revealKey({ accountId: partner, orderId, keyId })),
            )
          ).map(({ value }) => value)
          return compare(
            (await served.keys(orderId)).map((id) => ({ id, facts: '' })),
            values.map((id) => ({ id, facts: '' })),
          )
        }),
    )),
  )
}

/**
 * Downloads the keys of an order again that has more of them than units: the service announces no
 * replacement of a claim that someone filed elsewhere.
 */
async function downloadReplacements({ ask, partner, served }: Parts): Promise<void> {
  const { rows } = await ask.orders.list({ accountId: partner, window: { offset: 0, limit: 500 } })
  for (const { orderId, units, deliveredUnits } of rows)
    if (deliveredUnits > 0 && (await served.keys(orderId)).length > units)
      await attempt(ask.orders.downloadKeys({ accountId: partner, orderId, acknowledged: true }))
}

/**
 * Lets a console finish its open work and compares it with the service: catalogues, offers, orders,
 * order attempts, stored keys, and an outbox that is empty once everything in it was approved. Each
 * part has `withinMs`.
 */
export async function agreementOf(
  parts: Parts,
): Promise<{ difference: Difference; parts: Record<string, Difference> }> {
  const { ask, seller, partner, served, dataDir } = parts
  const sync = async (): Promise<void> => {
    await Promise.all(
      [seller, partner].map((accountId) => attempt(ask.accounts.syncNow({ accountId }))),
    )
  }
  const catalogue = (id: string, role: 'seller' | 'partner') => async (): Promise<Difference> => {
    const { rows, twice } = readMirror(path.join(dataDir, 'catalogues', `${id}.db`), role)
    return addUp(compare(await served.catalogue(role), rows), { ...noDifference, twice })
  }
  await sync()
  const found: Record<string, Difference> = {}
  found['outbox'] = await untilEqual(
    async () => {
      await attempt(ask.outbox.compare({ accountId: seller }))
      const left = await sendOutbox(parts)
      const { rows } = await ask.outbox.list({ accountId: seller })
      const done = rows
        .filter(({ verdict }) => verdict === 'already' || verdict === 'gone')
        .map(({ entryId }) => entryId)
      if (done.length > 0) await ask.outbox.discard({ accountId: seller, entryIds: done })
      return { ...noDifference, lost: left === 0 ? 0 : rows.length - done.length }
    },
    sync,
    parts,
  )
  found['attempts'] = await untilEqual(() => compareAttempts(parts), sync, parts)
  found['offers'] = await untilEqual(
    async () => {
      const { rows } = await ask.offers.list({
        accountId: seller,
        window: { offset: 0, limit: 500 },
      })
      return addUp(
        compare(
          await served.offers(),
          rows.map(({ offerId, priceCents, status, stock }) => ({
            id: offerId,
            facts: JSON.stringify([priceCents, status, stock]),
          })),
        ),
        {
          ...noDifference,
          wrong: rows.filter(({ pending }) => pending?.state === 'saving').length,
        },
      )
    },
    sync,
    parts,
  )
  found['orders'] = await untilEqual(
    async () => {
      const { rows } = await ask.orders.list({
        accountId: partner,
        window: { offset: 0, limit: 500 },
      })
      return compare(
        await served.orders(),
        rows.map(({ orderId, externalId, status, totalCents, refundedCents }) => ({
          id: orderId,
          facts: JSON.stringify([externalId, status, totalCents, refundedCents]),
        })),
      )
    },
    sync,
    parts,
  )
  found['keys'] = await untilEqual(
    () => compareKeys(parts),
    async () => {
      await downloadAllKeys(parts)
      await downloadReplacements(parts)
    },
    parts,
  )
  found['partner catalogue'] = await untilEqual(catalogue(partner, 'partner'), sync, parts)
  found['seller catalogue'] = await untilEqual(catalogue(seller, 'seller'), sync, parts)
  return { difference: addUp(...Object.values(found)), parts: found }
}
