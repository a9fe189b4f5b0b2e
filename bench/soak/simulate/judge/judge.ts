import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { agreementOf } from '../../sync/agreement.ts'
import { readService } from '../../sync/truth.ts'
import { dayStart, otherAddress } from '../service.ts'
import { judgeBulks } from './bulks.ts'
import { judgeClaims, judgeDisputes } from './disputes.ts'
import { finishImports, judgeImports } from './imports.ts'
import { KEY_MARK } from '../people/person.ts'
import { judgeMoney } from './money.ts'
import { FINISH_WITHIN_MS, until } from './trial.ts'
import type { Trial } from './trial.ts'
import { judgeWithdrawals, readWithdrawnKeys } from './withdrawals.ts'

/** Compares the console with the service in the end, and both with what people asked for. */
export async function judge(trial: Trial): Promise<void> {
  const { book, note, world } = trial
  await finishImports(trial)
  await finishBulks(trial)
  await agree(trial)
  const withdrawn = await readWithdrawnKeys(trial)
  await judgeImports(trial, withdrawn)
  judgeWithdrawals(trial, withdrawn)
  await judgeMoney(trial)
  await judgeBulks(trial)
  await judgeDisputes(trial)
  judgeClaims(trial)
  judgeOrders(trial)
  const prices = world.pricesOf([...book.prices.keys()])
  for (const [offerId, cents] of book.prices)
    if (cents !== null && prices.get(offerId) !== cents && !book.overwritten.has(offerId))
      note({ kind: 'wrong', what: `${offerId} costs ${prices.get(offerId)} instead of ${cents}` })
  for (const error of trial.service.errors)
    note({ kind: 'wrong', what: `the service logged ${error}` })
  const { ok } = (await world.dashboard('GET', '/ledger/verify')) as { ok: boolean }
  if (!ok) note({ kind: 'wrong', what: 'the ledger does not add up' })
  findInClear(trial)
}

async function finishBulks(trial: Trial): Promise<void> {
  const { ask, seller } = trial
  await until(trial, 'a bulk change', async () =>
    (await ask.offers.bulk.list({ accountId: seller })).every(
      ({ state }) => state === 'done' || state === 'cancelled',
    ),
  )
}

/** The comparison of the sync soak. */
async function agree({ ask, seller, partner, book, service, dataDir, note }: Trial): Promise<void> {
  const { parts } = await agreementOf({
    ask,
    seller,
    partner,
    dataDir,
    served: readService({ ...otherAddress, demo: service.demo }),
    references: new Set(book.orders.keys()),
    withinMs: FINISH_WITHIN_MS,
    pauseMs: 5000,
  })
  for (const [name, { such = [], ...counts }] of Object.entries(parts))
    for (const kind of ['lost', 'twice', 'wrong'] as const)
      for (let count = 0; count < counts[kind]; count += 1)
        note({ kind, what: `${name}: ${such[count] ?? such.join(', ')}` })
}

/** Every order was asked for, and none cost more than its maximum price. */
function judgeOrders({ book, world, note }: Trial): void {
  for (const { externalId } of world.rows<{ externalId: string }>(
    `SELECT external_id AS externalId FROM orders WHERE partner_id =
       (SELECT partner_id FROM orders WHERE external_id LIKE 'elsewhere-%' LIMIT 1)
     AND created_at >= ?`,
    dayStart,
  ))
    if (!book.orders.has(externalId) && !externalId.startsWith('elsewhere-'))
      note({ kind: 'wrong', what: `nobody asked for the order ${externalId}` })
  for (const { externalId, unitPrice } of world.rows<{ externalId: string; unitPrice: number }>(
    `SELECT orders.external_id AS externalId, order_lines.unit_price AS unitPrice
     FROM order_lines JOIN orders ON orders.no = order_lines.order_no`,
  )) {
    const asked = book.orders.get(externalId)?.maxUnitCents
    if (asked !== undefined && asked > 0 && unitPrice > asked)
      note({ kind: 'wrong', what: `${externalId} cost ${unitPrice}, more than ${asked}` })
  }
}

/** No file of the console contains a key that a person imported or sent, in clear. */
function findInClear({ dataDir, note }: Trial): void {
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    if (readFileSync(file).includes(KEY_MARK))
      note({ kind: 'wrong', what: `${path.relative(dataDir, file)} contains a key` })
  }
}
