import { cents } from '../../../server/api/money.ts'
import type { Clock, Monotonic } from '../../../src/core/clock.ts'
import { newRuleDefaults } from '../../../src/contract/price-watch/price-rules.ts'
import { createDeadline } from '../support/deadline.ts'
import { pause } from '../support/soak-console.ts'
import { attempt, downloadAllKeys } from '../sync/day.ts'
import type { SoakAccounts } from '../sync/day.ts'
import { attemptsAtRest, placeAll, placeTable } from '../orders/placing.ts'
import type { Rest, Wanted } from '../orders/placing.ts'
import type { serviceOf } from '../orders/truth.ts'

/** A job didn't finish: a wait lasts longer than anything asked for. */
export class StandsStill extends Error {}

/** Repeats `look` until it returns something. Throws {@link StandsStill} after `withinMs`. */
export async function untilDone<T>(
  job: string,
  look: () => Promise<T | null>,
  withinMs = 90_000,
): Promise<T> {
  const isOver = createDeadline(withinMs)
  for (;;) {
    const found = await look()
    if (found !== null) return found
    if (isOver()) throw new StandsStill(job)
    await pause(30)
  }
}

/** Repeats a request that a fault rejected, as a person would. */
const insist = <T>(job: string, request: () => Promise<T>): Promise<T> =>
  untilDone(job, () => attempt(request()))

/** Uploads a file of keys, one after the other for each offer. */
export async function importKeys(
  { ask, seller }: SoakAccounts,
  offerIds: readonly string[],
  keys: readonly string[],
): Promise<void> {
  const { importId } = await ask.imports.create({ accountId: seller })
  const lines = keys.map((key, at) => `${offerIds[at % offerIds.length] ?? ''};${key}`)
  const bytes = Buffer.from(['offer;key', ...lines].join('\n'))
  const { fileId } = await ask.imports.addFile({ importId, name: 'k.csv', size: bytes.length })
  const part = { offset: 0, base64: bytes.toString('base64'), last: true }
  await ask.imports.writeFile({ importId, fileId, ...part })
  await untilDone('import check', async () => {
    const { files, sums } = await ask.imports.get({ importId })
    return files.every(({ state }) => state === 'checked') && sums.ready === keys.length
      ? true
      : null
  })
  await insist('import start', () => ask.imports.upload({ importId }))
  await untilDone('import upload', async () =>
    (await ask.imports.get({ importId })).endedAt === null ? null : true,
  )
}

/** Raises the prices of some offers by a cent, and returns how many lines were not done. */
export async function raisePrices(
  { ask, seller }: SoakAccounts,
  offerIds: readonly string[],
): Promise<void> {
  const request = {
    accountId: seller,
    chosen: { offerIds: [...offerIds] },
    change: {
      kind: 'price' as const,
      how: { by: 'amount' as const, cents: cents(1) },
      keepFloor: false,
    },
  }
  const { bulkId } = await insist('bulk change start', async () => {
    const { fingerprint } = await ask.offers.bulk.preview(request)
    return ask.offers.bulk.start({ ...request, fingerprint, beyondGuard: true })
  })
  await untilDone('bulk change', async () => {
    const bulk = (await ask.offers.bulk.list({ accountId: seller })).find(
      (each) => each.bulkId === bulkId,
    )
    if (bulk?.state === 'paused')
      await attempt(ask.offers.bulk.resume({ accountId: seller, bulkId }))
    return bulk?.state === 'done' ? true : null
  })
}

/** Orders one by one and as a table, downloads the keys, and prepares a claim for each order. */
export async function orderAndClaim(
  accounts: SoakAccounts,
  service: ReturnType<typeof serviceOf>,
  single: readonly Wanted[],
  table: readonly Wanted[],
): Promise<{ rest: Rest; claims: number; refused: string[] }> {
  const { ask, partner } = accounts
  await insist('order table', () => placeTable(ask, partner, table))
  await placeAll(ask, partner, single, 3, () => {})
  const rest = await attemptsAtRest(ask, partner, service, 90_000)
  const window = { offset: 0, limit: 500 }
  await untilDone('key download', async () => {
    await downloadAllKeys(accounts)
    const { rows } = await ask.orders.list({ accountId: partner, window })
    return rows.every(({ deliveredUnits, keysKept }) => deliveredUnits === keysKept) ? true : null
  })
  const { rows } = await ask.orders.list({ accountId: partner, window })
  const refused: string[] = []
  let claims = 0
  for (const { orderId, keysKept } of rows) {
    if (keysKept === 0) continue
    const { keys } = await ask.orders.order({ accountId: partner, orderId })
    try {
      await ask.claims.create({ accountId: partner, orderId, keyId: keys[0]?.keyId ?? '' })
      claims += 1
    } catch (error) {
      refused.push(String(error))
    }
  }
  return { rest, claims, refused }
}

/** Queues a price without a network, and sends it from the outbox. Returns the price. */
export async function queuePrice(
  { ask, seller }: SoakAccounts,
  offerId: string,
  network: { disconnect(): Promise<void>; reconnect(): Promise<void> },
): Promise<number> {
  const { priceCents } = await ask.offers.offer({ accountId: seller, offerId })
  const wanted = cents(priceCents + 7)
  await network.disconnect()
  await insist('queued change', () =>
    ask.offers.change({ accountId: seller, offerId, priceCents: wanted }),
  )
  await pause(200)
  await network.reconnect()
  await untilDone('outbox', async () => {
    const { rows } = await ask.outbox.list({ accountId: seller })
    const entry = rows.find(({ subjectId }) => subjectId === offerId)
    if (entry === undefined) return true
    const { entryId, state, verdict } = entry
    if (state === 'waiting' && verdict === 'already')
      await ask.outbox.discard({ accountId: seller, entryIds: [entryId] })
    else if (state === 'waiting' && verdict !== 'uncompared')
      await attempt(ask.outbox.send({ accountId: seller, entryIds: [entryId] }))
    return null
  })
  return wanted
}

export const outcomes = ['reply', 'replace-stock', 'refund'] as const
/**
 * `isPartly`: the console reported that only the answer was sent. `askedAt`: when the person sent
 * the reply.
 */
export type Replied = {
  disputeId: string
  text: string
  outcome: (typeof outcomes)[number]
  isPartly: boolean
  askedAt: Monotonic
}

/** Replies to a dispute, again if the console reports that nothing was sent. */
async function replyOnce(
  { ask, seller }: SoakAccounts,
  clock: Clock,
  wanted: Pick<Replied, 'disputeId' | 'text' | 'outcome'>,
): Promise<Replied> {
  const accountId = seller
  const { disputeId, text, outcome } = wanted
  let askedAt = clock.monotonic()
  return untilDone('reply', async () => {
    const { status, conversation, replies, ...detail } = await ask.disputes.dispute({
      accountId,
      disputeId,
    })
    const [reply] = replies
    if (reply?.state === 'failed' && reply.answered) return { ...wanted, isPartly: true, askedAt }
    if (reply?.state === 'failed')
      await ask.disputes.dismissReply({ accountId, disputeId, replyId: reply.replyId })
    else if (reply !== undefined) return null
    const isDone =
      outcome === 'reply'
        ? conversation.some(({ body }) => body === text)
        : detail.actions.some(({ state }) => state === 'done')
    if (isDone) return { ...wanted, isPartly: false, askedAt }
    const seen = { status, messages: conversation.length }
    if (conversation.length === 0 || status === 'resolved') return null
    const now = clock.monotonic()
    const sent = await attempt(ask.disputes.reply({ accountId, disputeId, text, outcome, seen }))
    if (sent !== null) askedAt = now
    return null
  })
}

/** Replies to each dispute, in turn with nothing, a key and a refund, and waits for all of them. */
export async function replyToAll(
  accounts: SoakAccounts,
  clock: Clock,
  disputeIds: readonly string[],
): Promise<Replied[]> {
  const { ask, seller } = accounts
  await untilDone('dispute list', async () => {
    await attempt(ask.accounts.syncNow({ accountId: seller }))
    const { rows } = await ask.disputes.list({ accountId: seller, view: 'all' })
    return disputeIds.every((id) => rows.some(({ disputeId }) => disputeId === id)) ? true : null
  })
  return Promise.all(
    disputeIds.map(async (disputeId, at) => {
      const outcome = outcomes[at % outcomes.length] ?? 'reply'
      const text = `We are looking into ${disputeId}.`
      return replyOnce(accounts, clock, { disputeId, text, outcome })
    }),
  )
}

/** Approves a rule's price for some offers; returns the offers whose price was applied. */
export async function approvePrices(
  { ask, seller }: SoakAccounts,
  offerIds: readonly string[],
): Promise<ReadonlyMap<string, { cents: number; applied: boolean }>> {
  const accountId = seller
  const rule = {
    ...newRuleDefaults,
    name: 'All',
    floor: { kind: 'receive' as const, cents: cents(1) },
    coolDownMs: 0,
    changesADay: 200,
    mostPercent: 50,
  }
  const { ruleId } = await ask.priceWatch.saveRule({ accountId, ruleId: null, rule })
  await ask.priceWatch.setMode({ accountId, ruleId, mode: 'propose' })
  const proposals = async () => {
    const window = { offset: 0, limit: 500 }
    const { rows } = await ask.priceWatch.market({ accountId, tab: 'proposals', window })
    return rows.flatMap(({ offerId, proposal }) =>
      proposal === null || !offerIds.includes(offerId)
        ? []
        : [{ offerId, targetCents: proposal.targetCents }],
    )
  }
  const approved = await untilDone('proposals', async () => {
    const found = await proposals()
    return found.length === offerIds.length ? found : null
  })
  await ask.priceWatch.approve({ accountId, offers: approved })
  await untilDone('price watch', async () =>
    (await ask.priceWatch.switch()).sending === 0 ? true : null,
  )
  const reasons = ['applied' as const]
  const { rows } = await ask.priceWatch.decisions({ accountId, reasons })
  const applied = new Set(rows.map(({ offerId }) => offerId))
  return new Map(
    approved.map(({ offerId, targetCents }) => [
      offerId,
      { cents: targetCents, applied: applied.has(offerId) },
    ]),
  )
}

/** Goes offline and, once the network is back, online again without a person's request. */
export async function reconnect(
  { ask, seller, partner }: SoakAccounts,
  networks: readonly { disconnect(): Promise<void>; reconnect(): Promise<void> }[],
): Promise<void> {
  const untilAll = (job: string, wanted: string): Promise<true> =>
    untilDone(job, async () => {
      const states = await Promise.all(
        [seller, partner].map(
          async (accountId) => (await ask.accounts.connection({ accountId })).state,
        ),
      )
      return states.every((state) => state === wanted) ? true : null
    })
  for (const network of networks) await network.disconnect()
  await untilAll('going offline', 'offline')
  for (const network of networks) await network.reconnect()
  await untilAll('going online', 'online')
}
