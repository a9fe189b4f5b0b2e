/**
 * The actions of sellers: upload, withdraw, change terms, reply to customers, replace and refund.
 */
import { cents } from '../../../server/api/money.ts'
import { type DisputeFacts, requireKnown } from './book.ts'
import { type Below, type MakeOperation, type Operation, pick, repeatable } from './operation.ts'
import { unlessRefused } from './service.ts'
import { keyValue, type World } from './world.ts'

type OfSeller = (seller: number) => MakeOperation

const offerOf = (world: World, seller: number, below: Below): string =>
  pick(world.book.accounts.sellers[seller]?.offers ?? [], below)?.id ?? ''

export const upload: OfSeller = (seller) => (world, below) => {
  const { book } = world
  const id = offerOf(world, seller, below)
  const long = below(40) === 0
  const fresh = Array.from({ length: long ? 400 : 1 + below(12) }, () =>
    keyValue(world.serial(), long ? 1500 : 0),
  )
  const stored = requireKnown(book.uploaded, id)
  const [first] = stored
  const duplicate =
    below(4) === 0 && first !== undefined && !requireKnown(book.withdrawn, id).has(first)
      ? [first]
      : []
  const idempotencyKey = `upload-${world.serial()}`
  return repeatable(`${fresh.length} keys for ${id}`, async () => {
    const { added, duplicates } = (
      await world.service
        .seller(seller)
        .uploadKeys(
          { params: { id }, body: { keys: [...fresh, ...duplicate] } },
          { idempotencyKey },
        )
    ).body
    for (const value of fresh) stored.add(value)
    if (added !== fresh.length || duplicates !== duplicate.length)
      world.findings.wrong(
        `${fresh.length} new keys for ${id} were counted as ${added} new and ${duplicates} known`,
      )
  })
}

export const withdraw: OfSeller = (seller) => (world, below) => {
  const { book } = world
  const id = offerOf(world, seller, below)
  const count = 1 + below(4)
  const idempotencyKey = `withdraw-${world.serial()}`
  return repeatable(`${count} keys from ${id}`, async () => {
    const answer = await unlessRefused(
      world.service
        .seller(seller)
        .withdrawKeys({ params: { id }, body: { count } }, { idempotencyKey }),
      ['INSUFFICIENT_STOCK'],
    )
    for (const value of answer?.body.keys ?? []) {
      if (!requireKnown(book.uploaded, id).has(value))
        world.findings.wrong(`${value} was withdrawn from ${id} but never uploaded there`)
      if (requireKnown(book.withdrawn, id).has(value))
        world.findings.twice(`${value} was withdrawn twice`)
      requireKnown(book.withdrawn, id).add(value)
    }
  })
}

export const changeTerms: OfSeller = (seller) => (world, below) => {
  const { book } = world
  const id = offerOf(world, seller, below)
  const before = requireKnown(book.terms, id)
  const after =
    below(5) === 0
      ? {
          ...before,
          status: before.status === 'active' ? ('paused' as const) : ('active' as const),
        }
      : { ...before, price: cents(150 + below(300)) }
  const client = () => world.service.seller(seller)
  return {
    about: `terms of ${id}`,
    async send() {
      const { price, status } = (await client().changeOffer({ params: { id }, body: after })).body
      book.terms.set(id, { price, status })
    },
    async settle() {
      const { price, status } = (await client().getOffer({ params: { id } })).body
      const now = JSON.stringify({ price, status })
      if (now !== JSON.stringify(before) && now !== JSON.stringify(after))
        world.findings.wrong(`${id} is at ${now}, which is neither the old nor the new state`)
      book.terms.set(id, { price, status })
    },
  }
}

const openOnes = (world: World, seller: number): [string, DisputeFacts][] =>
  [...world.book.disputes].filter(
    ([, dispute]) => dispute.seller === seller && dispute.resolution === null,
  )

/** A message is there once or not at all. */
async function messageSettled(
  world: World,
  seller: number,
  dispute: DisputeFacts,
  body: string,
): Promise<void> {
  const { messages } = (
    await world.service.seller(seller).getDispute({ params: { id: dispute.id } })
  ).body
  const times = messages.filter((message) => message.body === body).length
  if (times > 1) world.findings.twice(`message "${body}" of ${dispute.id} is there ${times} times`)
  if (times === 1) dispute.messages.add(body)
}

export const answerCustomer: OfSeller =
  (seller) =>
  (world, below): Operation | null => {
    const [, dispute] = pick(openOnes(world, seller), below) ?? []
    if (dispute === undefined) return null
    const body = `message ${world.serial()}`
    return {
      about: `message to ${dispute.id}`,
      async send() {
        const answer = await unlessRefused(
          world.service
            .seller(seller)
            .answerDispute({ params: { id: dispute.id }, body: { body } }),
          ['DISPUTE_RESOLVED'],
        )
        if (answer !== null) dispute.messages.add(body)
      },
      settle: () => messageSettled(world, seller, dispute, body),
    }
  }

export const replace: OfSeller =
  (seller) =>
  (world, below): Operation | null => {
    const { book } = world
    const [, dispute] = pick(openOnes(world, seller), below) ?? []
    if (dispute === undefined) return null
    const key = below(2) === 0 ? keyValue(world.serial()) : undefined
    const idempotencyKey = `replace-${world.serial()}`
    return repeatable(`replacement for ${dispute.id}`, async () => {
      const body = key === undefined ? { fromStock: true as const } : { key }
      const answer = await unlessRefused(
        world.service
          .seller(seller)
          .replaceKey({ params: { id: dispute.id }, body }, { idempotencyKey }),
        ['DISPUTE_RESOLVED', 'INSUFFICIENT_STOCK'],
      )
      if (answer === null) return
      if (dispute.resolution === null) {
        if (key === undefined)
          book.replacedFromStock.set(
            dispute.offerId,
            requireKnown(book.replacedFromStock, dispute.offerId) + 1,
          )
        else book.typedReplacements.add(key)
      }
      dispute.resolution = 'replaced'
    })
  }

export const refund: OfSeller =
  (seller) =>
  (world, below): Operation | null => {
    const [, dispute] = pick(openOnes(world, seller), below) ?? []
    if (dispute === undefined) return null
    const idempotencyKey = `refund-${world.serial()}`
    return repeatable(`refund of ${dispute.id}`, async () => {
      const answer = await unlessRefused(
        world.service
          .seller(seller)
          .refundDispute({ params: { id: dispute.id } }, { idempotencyKey }),
        ['DISPUTE_RESOLVED'],
      )
      if (answer !== null) dispute.resolution = 'refunded'
    })
  }
