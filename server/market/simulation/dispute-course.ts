import complaints from '../../../resources/demo/complaints.json' with { type: 'json' }
import type { MarketDispute, MarketWorld } from '../../domain/ports/market.ts'
import { DAY, HOUR } from './calendar.ts'
import { randomFor } from './random-for.ts'
import { type EventOf, formatEvent } from './events.ts'
import { type Customer, customerOf } from './people.ts'

/** Disputes older than this aren't checked any more. */
const FORGOTTEN_AFTER = 21 * DAY
const MOST_ANSWERS = 3
/** How long a customer waits for a solution after the last answer before it asks support. */
const SOLUTION_WITHIN = 2 * DAY
/** The last of support's steps. */
const LAST_STEP = 12

/** Time of the seller's last message, null if its customer is waiting for one. */
function answeredAt({ messages }: Pick<MarketDispute, 'messages'>): number | null {
  const last = messages.findLast(({ author }) => author !== 'support')
  return last?.author === 'seller' ? last.createdAt : null
}

/** When the customer started waiting: the time of its last message. */
const waitsSince = ({ messages, openedAt }: MarketDispute): number =>
  messages.findLast(({ author }) => author === 'customer')?.createdAt ?? openedAt

const chance = (world: MarketWorld, kind: string, id: string) =>
  randomFor(world.run().seed, kind, id, world.now())

/** A dispute and the customer who opened it. */
interface Case {
  world: MarketWorld
  dispute: MarketDispute
  customer: Customer
}

function speak(
  { world, dispute: { id }, customer }: Case,
  texts: readonly string[],
  author: 'customer' | 'support' = 'customer',
): void {
  const text = chance(world, 'words', id).pick(texts)
  world.addMessage(id, author, text.replace('{country}', customer.country))
}

function giveUp(current: Case): void {
  speak(current, current.customer.language.tired)
  current.world.escalate(current.dispute.id)
}

/**
 * Answers the seller, whose last message was written `at`, a few times, then asks for a decision if
 * the problem remains. Returns the number of answers so far.
 */
function answer(current: Case, at: number, answers: number): number {
  const { language } = current.customer
  if (answers < MOST_ANSWERS) {
    speak(current, answers === 0 ? language.details : language.again)
    return answers + 1
  }
  if (current.dispute.status === 'open' && current.world.now() - at > SOLUTION_WITHIN)
    giveUp(current)
  return answers
}

/**
 * Support's steps in an escalated dispute: takes it over, then closes it or reminds the seller
 * once. Returns the number of steps so far.
 */
function support(current: Case, step: number, mistaken: boolean): number {
  const { id } = current.dispute
  const random = chance(current.world, 'support', id)
  if (step === 0) speak(current, complaints.support.taken, 'support')
  else if (step < 6) return step + 1
  else if (mistaken) current.world.reject(id, random.pick(complaints.support.rejected))
  else if (step === LAST_STEP) speak(current, complaints.support.reminder, 'support')
  return step + 1
}

/**
 * Until when no check of a dispute does anything, unless a message or an escalation changes it;
 * null if the next check does.
 */
function quietUntil(
  { dispute, customer }: Pick<Case, 'dispute' | 'customer'>,
  { answers, support: step }: Pick<EventOf<'look-again'>, 'answers' | 'support'>,
): number | null {
  const answered = answeredAt(dispute)
  if (answered !== null && answers < MOST_ANSWERS) return null
  if (dispute.status === 'escalated')
    return step > LAST_STEP ? dispute.openedAt + FORGOTTEN_AFTER : null
  return answered === null
    ? waitsSince(dispute) + customer.patience * HOUR
    : answered + SOLUTION_WITHIN
}

/** Simulates an open dispute: customers answer and escalate, and support decides. */
export function createDisputeCourse(world: MarketWorld) {
  /**
   * Schedules the next check of a dispute. That of a test dispute in which nothing can happen is
   * left out until it can, or until the dispute changes: checking each of 200 test disputes twice a
   * minute would take most of the time of an advance by a day.
   */
  function lookLater(event: EventOf<'look-again'>): void {
    const share = chance(world, 'pause', event.dispute).next()
    if (event.prompt !== true) {
      world.schedule(world.now() + Math.floor((2 + share * 5) * HOUR), formatEvent(event))
      return
    }
    const afterMs = Math.floor(15_000 + share * 30_000)
    const dispute = world.dispute(event.dispute)
    const customer = customerOf(world.run().seed, event.customer)
    const until = dispute && quietUntil({ dispute, customer }, event)
    world.schedule(
      Math.max(world.now(), until ?? 0) + afterMs,
      formatEvent(event),
      until === null ? undefined : { disputeId: event.dispute, afterMs },
    )
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
      const customer = customerOf(world.run().seed, event.customer)
      const current = { world, dispute, customer }
      const answered = answeredAt(dispute)
      const next = { ...event }
      if (answered !== null) next.answers = answer(current, answered, event.answers)
      else if (
        dispute.status === 'open' &&
        world.now() - waitsSince(dispute) > customer.patience * HOUR
      )
        giveUp(current)
      if (dispute.status === 'escalated')
        next.support = support(current, event.support, event.mistaken)
      lookLater(next)
    },
  }
}
