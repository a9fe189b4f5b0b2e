/** The actions of customers, sellers and support on units that don't work. */
import fc from 'fast-check'
import { claim, open, refund, reject, replace, say } from '../claims.ts'
import { agree, text } from '../difference.ts'
import { send } from '../repeats.ts'
import { type Author, type Dispute, type Model, type Order, pick } from '../state.ts'
import type { Answer } from '../system.ts'
import { escalate } from '../time.ts'
import { disputeView, messagesView } from '../views.ts'
import { count, dashboard, type Request, type World } from '../world.ts'
import { operation } from './command.ts'
import { download } from './orders.ts'

const PICTURE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64')

const whole = (dispute: Dispute) => ({ ...disputeView(dispute), messages: messagesView(dispute) })

const refused = (answer: Answer, status: number, code: string): void =>
  agree(answer, { status, body: { error: { code } } }, `a rejection with ${code}: ${answer.text}`)

const hasUnits = ({ lines }: Order): boolean => lines.some(({ delivered }) => delivered.length > 0)

const claims = operation(
  'claim',
  fc.record({ order: fc.nat(30), unit: fc.nat(30), screenshot: fc.boolean() }),
  {
    when: (model) => model.orders.some((order) => hasUnits(order)),
    async run(model, world, given) {
      const orders = model.orders.filter((order) => hasUnits(order))
      const order = pick(orders, Math.max(0, orders.length - 1 - (given.order % 12)))
      if (!order) return
      await download(model, world, order)
      const unit = pick(
        order.lines.flatMap(({ delivered }) => delivered),
        given.unit,
      )
      const line = order.lines.find(
        ({ delivered }) => unit !== undefined && delivered.includes(unit),
      )
      if (!unit || !line) return
      const message = `It does not work ${world.next()}`
      const answer = await world.system.call(
        dashboard('POST', '/claims', {
          orderId: order.id,
          keyId: unit.id,
          message,
          ...(given.screenshot && { screenshot: PICTURE }),
        }),
      )
      count(world, 'claim', answer)
      if (order.mode === 'test') return refused(answer, 400, 'VALIDATION_ERROR')
      const opened = claim(model, order, line, unit, message, given.screenshot ? 1 : 0)
      if (Array.isArray(opened)) {
        const allowed = opened.find(({ status }) => status === answer.status) ?? opened[0]
        return refused(answer, allowed?.status ?? 0, allowed?.code ?? '')
      }
      agree(answer.status, 201, `a claim ${answer.text}`)
      opened.id = text(answer.body, 'disputeId')
      open(model, opened, unit)
    },
  },
)

/** The dispute selected by a number: for most numbers an unresolved one, if there is any. */
function chosen(model: Model, number: number): Dispute | undefined {
  const unresolved = model.disputes.filter(({ status }) => status !== 'resolved')
  const list = unresolved.length === 0 || number % 4 === 0 ? model.disputes : unresolved
  return pick(list, Math.max(0, list.length - 1 - (number % 8)))
}

const about = <Params>(
  name: string,
  params: fc.Arbitrary<Params>,
  run: (model: Model, world: World, dispute: Dispute, given: Params) => Promise<void>,
) =>
  operation(name, fc.record({ dispute: fc.nat(7), given: params }), {
    when: (model) => model.disputes.length > 0,
    async run(model, world, { dispute, given }) {
      const found = chosen(model, dispute)
      if (found) await run(model, world, found, given)
    },
  })

const messages = about(
  'message',
  fc.constantFrom<Author>('customer', 'seller', 'support'),
  async (model, world, dispute, author) => {
    const body = `Word ${world.next()}`
    const { seller } = dispute.sale.offer
    const answer = await world.system.call(
      author === 'seller'
        ? {
            key: seller.key,
            method: 'POST',
            path: `/v1/seller/disputes/${dispute.id}/messages`,
            body: { body },
          }
        : dashboard('POST', `/disputes/${dispute.id}/messages`, { author, body }),
    )
    count(world, `message of ${author}`, answer)
    if (dispute.status === 'resolved') return refused(answer, 409, 'DISPUTE_RESOLVED')
    say(model, dispute, author, body)
    agree(answer, { status: 201, body: messagesView(dispute).at(-1) }, 'a message')
  },
)

const supports = about(
  'support',
  fc.constantFrom('escalate', 'reject'),
  async (model, world, dispute, act) => {
    const answer = await world.system.call(dashboard('POST', `/disputes/${dispute.id}/${act}`, {}))
    count(world, act, answer)
    if (dispute.status === 'resolved') return refused(answer, 409, 'DISPUTE_RESOLVED')
    if (act === 'escalate') escalate(dispute)
    else reject(model, dispute)
    agree(answer, { status: 200, body: whole(dispute) }, act)
  },
)

/** Checks a response about a dispute that may be unknown when the request is repeated. */
const settling =
  (
    id: string,
    name: string,
    judge: (model: Model, world: World, dispute: Dispute, answer: Answer) => void,
  ): Request['first'] =>
  (model, world, answer) => {
    const dispute = model.disputes.find((each) => each.id === id)
    count(world, name, answer)
    if (!dispute) return refused(answer, 404, 'NOT_FOUND')
    if (dispute.status === 'resolved') return refused(answer, 409, 'DISPUTE_RESOLVED')
    return judge(model, world, dispute, answer)
  }

const repeat = fc.option(fc.nat(20), { freq: 2 })
const requestOf = (
  dispute: Dispute,
  act: string,
  body: unknown,
  number: number | null,
  first: Request['first'],
): Request => {
  const { seller } = dispute.sale.offer
  const path = `/v1/seller/disputes/${dispute.id}/${act}`
  return {
    account: seller.id,
    asking: {
      key: seller.key,
      method: 'POST',
      path,
      repeat: number === null ? undefined : `${act}-key-${number}`,
      ...(body !== undefined && { body }),
    },
    first,
  }
}

const replaces = about(
  'replace',
  fc.record({ how: fc.constantFrom('stock', 'new', 'known'), known: fc.nat(40), repeat }),
  (model, world, dispute, given) => {
    const typed =
      given.how === 'known' ? (pick(world.values, given.known) ?? '') : `KEY-${world.next()}`
    return send(
      model,
      world,
      requestOf(
        dispute,
        'replace',
        given.how === 'stock' ? { fromStock: true } : { key: typed },
        given.repeat,
        settling(dispute.id, 'replace', (model, world, dispute, answer) => {
          const { offer } = dispute.sale
          const oldest = offer.stock[0]
          if (given.how === 'stock' && !oldest) return refused(answer, 409, 'INSUFFICIENT_STOCK')
          if (given.how !== 'stock' && model.seen.get(offer.product.id)?.has(typed))
            return refused(answer, 409, 'DUPLICATE_KEY')
          if (given.how !== 'stock') world.values.push(typed)
          replace(model, dispute, {
            unit: given.how === 'stock' && oldest ? oldest : { value: typed, age: world.next() },
            fromStock: given.how === 'stock',
          })
          agree(answer, { status: 200, body: whole(dispute) }, `a replacement ${answer.text}`)
        }),
      ),
    )
  },
)

const refunds = about('refund', repeat, (model, world, dispute, number) =>
  send(
    model,
    world,
    requestOf(
      dispute,
      'refund',
      undefined,
      number,
      settling(dispute.id, 'refund', (model, _world, dispute, answer) => {
        refund(model, dispute)
        agree(answer, { status: 200, body: whole(dispute) }, `a refund ${answer.text}`)
      }),
    ),
  ),
)

export const disputeCommands = { claims, messages, supports, replaces, refunds }
