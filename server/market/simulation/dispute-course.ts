import complaints from '../../../resources/demo/complaints.json' with { type: 'json' }
import type { MarketDispute, MarketWorld } from '../../domain/ports/market.ts'
import { DAY, HOUR } from './calendar.ts'
import { randomFor } from './random-for.ts'
import { type EventOf, formatEvent } from './events.ts'
import { type Customer, customerOf } from './people.ts'

/** Disputes older than this aren't checked any more. */
const FORGOTTEN_AFTER = 21 * DAY
const MOST_ANSWERS = 3

/** Time of the seller's last message, null if its customer is waiting for one. */
function answeredAt({ messages }: Pick<MarketDispute, 'messages'>): number | null {
  const last = messages.findLast(({ author }) => author !== 'support')
  return last?.author === 'seller' ? last.createdAt : null
}

/** When the customer started waiting: the time of its last message. */
const waitsSince = ({ messages, openedAt }: MarketDispute): number =>
  messages.findLast(({ author }) => author === 'customer')?.createdAt ?? openedAt

/** Simulates an open dispute: customers answer and escalate, and support decides. */
export function createDisputeCourse(world: MarketWorld) {
  const seed = () => world.run().seed
  const chance = (kind: string, id: string) => randomFor(seed(), kind, id, world.now())

  /** Schedules the next check of a dispute. */
  function lookLater(event: EventOf<'look-again'>): void {
    const share = chance('pause', event.dispute).next()
    const pause = event.prompt === true ? 15_000 + share * 30_000 : (2 + share * 5) * HOUR
    world.schedule(world.now() + Math.floor(pause), formatEvent(event))
  }

  const speak = (
    disputeId: string,
    texts: readonly string[],
    { country }: Customer,
    author: 'customer' | 'support' = 'customer',
  ) =>
    world.addMessage(
      disputeId,
      author,
      chance('words', disputeId).pick(texts).replace('{country}', country),
    )

  /**
   * Answers the seller a few times, then asks for a decision if the problem remains. Returns the
   * number of answers so far.
   */
  function answer(dispute: MarketDispute, at: number, answers: number, customer: Customer): number {
    const { language } = customer
    if (answers < MOST_ANSWERS) {
      speak(dispute.id, answers === 0 ? language.details : language.again, customer)
      return answers + 1
    }
    if (dispute.status === 'open' && world.now() - at > 2 * DAY) giveUp(dispute, customer)
    return answers
  }

  function giveUp(dispute: MarketDispute, customer: Customer): void {
    speak(dispute.id, customer.language.tired, customer)
    world.escalate(dispute.id)
  }

  /**
   * Support's steps in an escalated dispute: takes it over, then closes it or reminds the seller
   * once. Returns the number of steps so far.
   */
  function support(
    { id }: MarketDispute,
    step: number,
    mistaken: boolean,
    customer: Customer,
  ): number {
    const random = chance('support', id)
    if (step === 0) speak(id, complaints.support.taken, customer, 'support')
    else if (step < 6) return step + 1
    else if (mistaken) world.reject(id, random.pick(complaints.support.rejected))
    else if (step === 12) speak(id, complaints.support.reminder, customer, 'support')
    return step + 1
  }

  return {
    lookLater,
    lookAgain(event: EventOf<'look-again'>): void {
      const dispute = world.dispute(event.dispute)
      if (
        !dispute ||
        dispute.status === 'resolved' ||
        world.now() - dispute.openedAt > FORGOTTEN_AFTER
      )
        return
      const customer = customerOf(seed(), event.customer)
      const answered = answeredAt(dispute)
      const next = { ...event }
      if (answered !== null) next.answers = answer(dispute, answered, event.answers, customer)
      else if (
        dispute.status === 'open' &&
        world.now() - waitsSince(dispute) > customer.patience * HOUR
      )
        giveUp(dispute, customer)
      if (dispute.status === 'escalated')
        next.support = support(dispute, event.support, event.mistaken, customer)
      lookLater(next)
    },
  }
}
