/** The actions of the dashboard and support: top-ups, claims, decisions, products, the clock. */
import { cents } from '../../../server/api/money.ts'
import { type DisputeFacts, requireKnown } from './book.ts'
import { type MakeOperation, pick, repeatable } from './operation.ts'
import { everyRow, unlessRefused } from './service.ts'
import { PARTNERS, type World } from './world.ts'

export const topUp: MakeOperation = (world, below) => {
  const { book, findings } = world
  const partner = below(PARTNERS)
  const mode = below(4) === 0 ? ('test' as const) : ('live' as const)
  const { id } = requireKnown(new Map(book.accounts.partners.entries()), partner)
  const reference = `SOAK-${world.serial()}`
  const amount = cents(10_000 + world.serial())
  const arrive = () =>
    unlessRefused(
      world.service.dashboard.createTopUp({ params: { id }, body: { mode, amount, reference } }),
      ['REFERENCE_USED'],
    )
  return {
    about: `top-up ${reference}`,
    async send() {
      if ((await arrive()) === null)
        findings.wrong(`top-up ${reference} was rejected as used, but it was not`)
      book.topUps.set(reference, { partner, mode, amount })
    },
    // A used reference proves that the transfer arrived before.
    async settle() {
      await arrive()
      book.topUps.set(reference, { partner, mode, amount })
    },
  }
}

export async function disputeRows(world: World) {
  return everyRow((query) => world.service.dashboard.listAllDisputes({ query }))
}

export const claim: MakeOperation = (world, below) => {
  const { book } = world
  const live = [...book.orders.values()]
    .filter(({ mode, id }) => mode === 'live' && book.downloads.has(id))
    .slice(-20)
  const order = pick(live, below)
  const keyId = pick([...(book.downloads.get(order?.id ?? '')?.keys() ?? [])], below)
  if (order === undefined || keyId === undefined || book.disputes.has(keyId)) return null
  const file = () =>
    unlessRefused(
      world.service.dashboard.createClaim({
        body: { orderId: order.id, keyId, message: `${keyId} does not work` },
      }),
      ['CLAIM_WINDOW_CLOSED', 'CLAIM_EXISTS'],
    )
  const note = async (): Promise<void> => {
    const row = (await disputeRows(world)).find((dispute) => dispute.keyId === keyId)
    if (row === undefined) return
    const seller = book.accounts.sellers.findIndex(({ offers }) =>
      offers.some(({ id }) => id === row.offerId),
    )
    book.disputes.set(keyId, {
      id: row.id,
      orderId: row.orderId,
      seller,
      offerId: row.offerId,
      resolution: null,
      escalated: false,
      messages: new Set(),
    })
  }
  return repeatable(`claim of ${keyId}`, async () => {
    const filed = await file()
    await note()
    if (filed !== null && book.disputes.get(keyId)?.id !== filed.body.disputeId)
      world.findings.lost(`claim ${filed.body.disputeId} is not listed`)
  })
}

function anyOpen(world: World, below: (limit: number) => number): DisputeFacts | undefined {
  return pick(
    [...world.book.disputes.values()].filter(({ resolution }) => resolution === null),
    below,
  )
}

/**
 * Support's decision. It is rejected for a dispute that a seller has settled since then; only the
 * service decides which of the two came first.
 */
const decide =
  (what: 'escalateDispute' | 'rejectDispute'): MakeOperation =>
  (world, below) => {
    const dispute = anyOpen(world, below)
    if (dispute === undefined) return null
    const client = () => world.service.seller(dispute.seller)
    const send = async (): Promise<void> => {
      const answer = await unlessRefused(
        world.service.dashboard[what]({ params: { id: dispute.id } }),
        ['DISPUTE_RESOLVED'],
      )
      if (answer === null) return
      dispute.escalated = true
      if (what === 'rejectDispute') dispute.resolution = 'rejected'
    }
    return {
      about: `${what} ${dispute.id}`,
      send,
      async settle() {
        const { resolution } = (await client().getDispute({ params: { id: dispute.id } })).body
        if (resolution?.type === 'rejected') dispute.resolution = 'rejected'
        else await send()
      },
    }
  }
export const escalate = decide('escalateDispute')
export const reject = decide('rejectDispute')

export const renameProduct: MakeOperation = (world, below) => {
  const { book } = world
  const id = pick(book.accounts.products, below) ?? ''
  const before = requireKnown(book.products, id)
  const after = `Product ${world.serial()}`
  return {
    about: `name of ${id}`,
    async send() {
      book.products.set(
        id,
        (await world.service.dashboard.changeProduct({ params: { id }, body: { name: after } }))
          .body.name,
      )
    },
    async settle() {
      const { name } = (await world.service.partner(0, 'live').getProduct({ params: { id } })).body
      if (name !== before && name !== after)
        world.findings.wrong(
          `product ${id} is called ${name}, which is neither the old nor the new name`,
        )
      book.products.set(id, name)
    },
  }
}

/** The clock only moves forward, whatever was interrupted. */
export async function checkClock(world: World): Promise<void> {
  const now = Date.parse((await world.service.dashboard.getClock({})).body.now)
  if (now < world.book.clock)
    world.findings.lost(`the clock went back from ${world.book.clock} to ${now}`)
  world.book.clock = now
}

/**
 * Advancing past the lifetime of stored responses also clears the requests that can be repeated.
 */
export const advance =
  (ms: number): MakeOperation =>
  (world) => ({
    about: `the clock by ${ms} ms`,
    async send() {
      if (ms > 3_600_000) world.book.repeatable = []
      world.book.clock = Date.parse(
        (await world.service.dashboard.advanceClock({ body: { ms } })).body.now,
      )
    },
    settle: () => checkClock(world),
  })
