/**
 * Compares the service with the book: acknowledged results are there, nothing is there twice, and
 * money, stock and ledger chain agree.
 */
import { createHash } from 'node:crypto'
import { type Cents, timesCents } from '../../../server/api/money.ts'
import type { Order } from '../../../server/api/schemas/order.ts'
import type { Book } from './book.ts'
import { requireKnown } from './book.ts'
import { disputeRows } from './dashboard.ts'
import { everyRow, type StrictClient } from './service.ts'
import { SELLERS, PARTNERS, type World } from './world.ts'

const modes = ['live', 'test'] as const
const finalStatuses = {
  completed: true,
  partially_completed: true,
  failed: true,
  processing: false,
}
const sum = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + amount, 0)

/** Counts how often each value occurs. */
function tally<Value>(values: Iterable<Value>): Map<Value, number> {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** Resolves when no order is processing; gives up after 10 s. */
export async function untilFinal({ service, findings }: World): Promise<void> {
  const began = performance.now()
  for (let partner = 0; partner < PARTNERS; partner += 1) {
    for (const mode of modes) {
      while (
        (
          await service
            .partner(partner, mode)
            .listOrders({ query: { status: 'processing', limit: 1 } })
        ).body.total > 0
      ) {
        if (performance.now() - began > 10_000)
          return findings.wrong(`${mode} orders of partner ${partner} keep processing`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
  }
}

function checkOrder({ findings }: World, order: Order): void {
  const delivered: Cents[] = order.items.map(({ unitPrice, deliveredQty }) =>
    timesCents(unitPrice, deliveredQty),
  )
  if (!finalStatuses[order.status]) findings.wrong(`order ${order.externalId} is ${order.status}`)
  if (sum(delivered) + order.refunded !== order.total)
    findings.wrong(
      `order ${order.externalId} of ${order.total} delivered ${sum(delivered)} and refunded ${order.refunded}`,
    )
}

async function checkOrders(world: World): Promise<{ partner: number; order: Order }[]> {
  const { book, findings } = world
  const rows: { partner: number; order: Order }[] = []
  for (let partner = 0; partner < PARTNERS; partner += 1) {
    for (const mode of modes)
      for (const order of await everyRow((query) =>
        world.service.partner(partner, mode).listOrders({ query }),
      ))
        rows.push({ partner, order })
  }
  const times = tally(rows.map(({ order }) => order.externalId))
  for (const [externalId, count] of times)
    if (count > 1) findings.twice(`order ${externalId} is there ${count} times`)
  const byExternalId = new Map(rows.map(({ order }) => [order.externalId, order]))
  for (const [externalId, { id, total }] of book.orders) {
    const order = byExternalId.get(externalId)
    if (order === undefined) findings.lost(`order ${externalId} is gone`)
    else if (order.id !== id || order.total !== total)
      findings.wrong(
        `order ${externalId} is ${order.id} over ${order.total}, but was acknowledged as ${id} over ${total}`,
      )
  }
  // All open operations are settled, so every order must have been acknowledged.
  for (const { order } of rows) {
    if (!book.orders.has(order.externalId))
      findings.wrong(`order ${order.externalId} exists but was never acknowledged`)
    checkOrder(world, order)
  }
  return rows
}

async function checkMoney(
  world: World,
  orders: readonly { partner: number; order: Order }[],
): Promise<void> {
  const { book, findings } = world
  for (const [partner, { id }] of book.accounts.partners.entries()) {
    const { balances } = (await world.service.dashboard.getPartner({ params: { id } })).body
    const letters = (
      await world.service.dashboard.listPartnerEmails({ params: { id }, query: { limit: 1 } })
    ).body.total
    const arrivals = [...book.topUps.values()].filter((topUp) => topUp.partner === partner).length
    if (letters !== arrivals)
      findings[letters < arrivals ? 'lost' : 'twice'](
        `partner ${partner} has ${letters} e-mails about ${arrivals} top-ups`,
      )
    for (const mode of modes) {
      const entries = await everyRow((query) =>
        world.service.dashboard.listPartnerLedger({ params: { id }, query: { ...query, mode } }),
      )
      const where = `${mode} ledger of partner ${partner}`
      if (sum(entries.map(({ amount }) => amount)) !== balances[mode])
        findings.wrong(`the ${where} does not sum to its balance`)
      const amountsOf = (type: string) => entries.filter((entry) => entry.type === type)
      const arrived = tally(amountsOf('top_up').map(({ amount }) => amount))
      for (const [reference, topUp] of book.topUps) {
        if (topUp.partner !== partner || topUp.mode !== mode) continue
        const count = arrived.get(topUp.amount) ?? 0
        if (count === 0) findings.lost(`top-up ${reference} is not in the ${where}`)
        if (count > 1) findings.twice(`top-up ${reference} is in the ${where} ${count} times`)
        arrived.delete(topUp.amount)
      }
      for (const amount of arrived.keys())
        findings.wrong(`the ${where} has a top-up of ${amount} that nobody sent`)
      checkMovements(
        world,
        where,
        orders
          .filter((row) => row.partner === partner && row.order.mode === mode)
          .map(({ order }) => order),
        { debits: amountsOf('order_debit'), refunds: amountsOf('order_refund') },
      )
    }
  }
}

type Movement = { readonly orderId: string | null; readonly amount: Cents }

function checkMovements(
  { findings }: World,
  where: string,
  orders: readonly Order[],
  { debits, refunds }: { debits: readonly Movement[]; refunds: readonly Movement[] },
): void {
  const expected = {
    debits: new Map(orders.map(({ id, total }) => [id, -total])),
    refunds: new Map(
      orders
        .filter(({ refunded }) => refunded > 0)
        .map(({ id, refunded }) => [id, refunded as number]),
    ),
  }
  for (const [name, movements] of Object.entries({ debits, refunds })) {
    const wanted = name === 'debits' ? expected.debits : expected.refunds
    for (const [id, count] of tally(movements.map(({ orderId }) => orderId)))
      if (count > 1) findings.twice(`${id} has ${count} ${name} in the ${where}`)
    for (const { orderId, amount } of movements)
      if (wanted.get(orderId ?? '') !== amount)
        findings.wrong(
          `${orderId} has ${name} of ${amount} in the ${where}, not ${wanted.get(orderId ?? '')}`,
        )
    const there = new Set(movements.map(({ orderId }) => orderId))
    for (const id of wanted.keys())
      if (!there.has(id)) findings.lost(`${id} has no ${name} in the ${where}`)
  }
}

const sha256 = (value: string): string => createHash('sha256').update(value).digest('hex')

/**
 * Reads sales and balance at the same time of the clock, because releases fall due while pages are
 * read, if a kill left the clock between them.
 */
async function readSalesAndBalance(client: StrictClient) {
  for (;;) {
    const before = (await client.getSellerBalance({})).body
    const sales = await everyRow((query) => client.listSales({ query }))
    const { pending, available } = (await client.getSellerBalance({})).body
    if (pending === before.pending && available === before.available)
      return { sales, pending, available }
  }
}

async function checkSellers(world: World, orders: readonly { order: Order }[]): Promise<void> {
  const { book, findings } = world
  let sold = 0
  for (let index = 0; index < SELLERS; index += 1) {
    const client = world.service.seller(index)
    const { sales, pending, available } = await readSalesAndBalance(client)
    sold += sales.length
    for (const [fingerprint, count] of tally(sales.map(({ keySha256 }) => keySha256)))
      if (count > 1) findings.twice(`the key of fingerprint ${fingerprint} was sold ${count} times`)
    const owed = sum(sales.filter(({ status }) => status !== 'cancelled').map(({ price }) => price))
    if (pending + available !== owed)
      findings.wrong(`seller ${index} has ${pending} and ${available}, and sold for ${owed}`)
    if (
      pending !== sum(sales.filter(({ status }) => status === 'pending').map(({ price }) => price))
    )
      findings.wrong(`seller ${index} has ${pending} pending, but its sales don't sum to that`)
    for (const offer of await everyRow((query) => client.listOffers({ query }))) {
      const own = sales.filter(({ offerId }) => offerId === offer.id)
      const uploaded = requireKnown(book.uploaded, offer.id)
      const fingerprints = new Set([...uploaded].map(sha256))
      for (const { keySha256, id } of own)
        if (!fingerprints.has(keySha256))
          findings.wrong(`sale ${id} is of a key that was not uploaded to its offer`)
      const left =
        uploaded.size -
        requireKnown(book.withdrawn, offer.id).size -
        own.length -
        requireKnown(book.replacedFromStock, offer.id)
      if (offer.stock < left)
        findings.lost(`offer ${offer.id} has ${offer.stock} keys, not ${left}`)
      if (offer.stock > left)
        findings.twice(`offer ${offer.id} has ${offer.stock} keys, not ${left}`)
      const { price, status } = requireKnown(book.terms, offer.id)
      if (offer.price !== price || offer.status !== status)
        findings.lost(
          `offer ${offer.id} is ${offer.status} at ${offer.price}, but was acknowledged ${status} at ${price}`,
        )
    }
  }
  const delivered = sum(
    orders
      .filter(({ order }) => order.mode === 'live')
      .flatMap(({ order }) => order.items.map(({ deliveredQty }) => deliveredQty)),
  )
  if (sold !== delivered) findings.wrong(`${delivered} units were delivered, but ${sold} sold`)
}

async function checkDisputes(world: World): Promise<void> {
  const { book, findings } = world
  const rows = await disputeRows(world)
  for (const [keyId, count] of tally(rows.map((row) => row.keyId)))
    if (count > 1) findings.twice(`key ${keyId} has ${count} disputes`)
  const byKey = new Map(rows.map((row) => [row.keyId, row]))
  for (const [keyId, facts] of book.disputes) {
    const row = byKey.get(keyId)
    if (row === undefined) findings.lost(`the dispute about ${keyId} is gone`)
    else if (facts.resolution !== (row.resolution?.type ?? null))
      findings.lost(
        `dispute ${facts.id} is ${row.resolution?.type ?? 'unresolved'}, but was acknowledged ${facts.resolution}`,
      )
    else if (facts.escalated && row.status === 'open')
      findings.lost(`dispute ${facts.id} is open again`)
    if (facts.messages.size === 0) continue
    const { messages } = (
      await world.service.seller(facts.seller).getDispute({ params: { id: facts.id } })
    ).body
    const times = tally(messages.map(({ body }) => body))
    for (const body of facts.messages)
      if (!times.has(body)) findings.lost(`"${body}" of ${facts.id} is gone`)
    for (const [body, count] of times)
      if (count > 1) findings.twice(`"${body}" of ${facts.id} is there ${count} times`)
  }
  const refunded = [...book.disputes.values()].filter(
    ({ resolution }) => resolution === 'refunded',
  ).length
  const credits: string[] = []
  for (const { id } of book.accounts.partners) {
    for (const entry of await everyRow((query) =>
      world.service.dashboard.listPartnerLedger({ params: { id }, query }),
    ))
      if (entry.type === 'claim_credit') credits.push(entry.id)
  }
  if (credits.length < refunded)
    findings.lost(`${refunded} disputes were refunded, but ${credits.length} credited`)
  if (credits.length > refunded)
    findings.twice(`${refunded} disputes were refunded, but ${credits.length} credited`)
}

async function checkRest({ book, findings, service }: World): Promise<void> {
  for (const [id, name] of book.products) {
    const now = (await service.partner(0, 'live').getProduct({ params: { id } })).body.name
    if (now !== name) findings.lost(`product ${id} is called ${now}, but was acknowledged ${name}`)
  }
  for (const [partner, { id }] of book.accounts.partners.entries()) {
    const there = new Set(
      (await service.dashboard.listPartnerKeys({ params: { id } })).body.results.map(
        (key) => key.id,
      ),
    )
    for (const issued of book.issued)
      if (issued.partner === partner && !there.has(issued.id))
        findings.lost(`key ${issued.id} is gone`)
  }
  const proof = (await service.dashboard.verifyLedger({})).body
  if (!proof.ok || proof.sums.live !== 0 || proof.sums.test !== 0)
    findings.wrong(`the ledger does not verify: ${JSON.stringify(proof)}`)
}

/** Subjects that require a webhook, each with its event. */
function expectedEvents(book: Book, orders: readonly { order: Order }[]): [string, string][] {
  return [
    ...orders.map(({ order }): [string, string] => [order.id, `order.${order.status}`]),
    ...[...book.topUps.keys()].map((reference): [string, string] => [
      reference,
      'balance.credited',
    ]),
  ]
}

/**
 * Every committed effect is sent at least once, always as one event. Waits for deliveries in
 * progress.
 */
async function checkEvents(world: World, orders: readonly { order: Order }[]): Promise<void> {
  const { book, receiver, findings } = world
  const wanted = expectedEvents(book, orders)
  for (
    let look = 0;
    look < 250 && wanted.some(([subject]) => receiver.about(subject).length === 0);
    look += 1
  )
    await new Promise((resolve) => setTimeout(resolve, 20))
  for (const [subject, event] of wanted) {
    const told = receiver.about(subject)
    if (told.length === 0) findings.lost(`${event} about ${subject} was never sent`)
    if (told.length > 1) findings.twice(`${event} about ${subject} is ${told.length} events`)
    if (told[0] !== undefined && told[0].event !== event)
      findings.wrong(`${subject} was sent as ${told[0].event}, not ${event}`)
  }
  for (const id of receiver.changed.splice(0))
    findings.wrong(`event ${id} changed between two attempts`)
}

/** Compares everything with the book; requires that nothing is open and no client is active. */
export async function checkTruth(world: World): Promise<void> {
  const orders = await checkOrders(world)
  await checkMoney(world, orders)
  await checkSellers(world, orders)
  await checkDisputes(world)
  await checkEvents(world, orders)
  await checkRest(world)
}
