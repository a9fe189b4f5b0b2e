import { until } from './dashboard.ts'
import type { DashboardClient } from './dashboard.ts'
import { plain } from './receivers.ts'
import type { Answer, Receiver, Receivers } from './receivers.ts'

/** A receiver with manual responses. */
function byHand(
  receivers: Receivers,
  name: string,
): { receiver: Receiver; answerNext: (status: number) => Promise<void> } {
  const held: ((status: number) => void)[] = []
  const hold: Answer = (response, ...rest) => {
    held.push((status) => {
      plain(status)(response, ...rest)
    })
  }
  return {
    receiver: receivers.add(name, hold),
    async answerNext(status) {
      const answer = await until(`a request at ${name}`, () => held.shift() ?? false)
      answer(status)
    },
  }
}

type Scenario = (desk: DashboardClient, receivers: Receivers) => Promise<string[]>

/**
 * The address changes during an attempt: the attempt finishes at the old address, the next one goes
 * to the new address with the new secret.
 */
const moved: Scenario = async (desk, receivers) => {
  const before = byHand(receivers, 'moved-from')
  const partnerId = await desk.partner(before.receiver)
  const { deliveryId } = await desk.fire(partnerId)
  await until('the first attempt', () => before.receiver.received.length === 1)
  const after = receivers.add('moved-to', plain(200))
  await desk.point(partnerId, after)
  await before.answerNext(500)
  await until(
    'the failure',
    async () => (await desk.deliveries(partnerId))[0]?.attempts?.length === 1,
  )
  await desk.advance(10_000)
  const [delivery] = await desk.deliveries(partnerId)
  const right =
    delivery?.status === 'delivered' &&
    delivery.id === deliveryId &&
    after.received.length === 1 &&
    after.received[0]?.delivery === deliveryId &&
    before.receiver.received.length === 1
  return right ? [] : [`an address that changed: ${JSON.stringify(delivery)}`]
}

/**
 * The address is removed during an attempt: nothing follows, and a new address doesn't restart the
 * failed delivery.
 */
const removed: Scenario = async (desk, receivers) => {
  const problems: string[] = []
  for (const status of [500, 200]) {
    const before = byHand(receivers, `removed-${status}`)
    const partnerId = await desk.partner(before.receiver)
    await desk.fire(partnerId)
    await until('the attempt', () => before.receiver.received.length === 1)
    await desk.dashboard().deleteWebhook({ params: { id: partnerId } })
    await before.answerNext(status)
    await until(
      'the record of it',
      async () => (await desk.deliveries(partnerId))[0]?.attempts?.length === 1,
    )
    const later = receivers.add(`after-removed-${status}`, plain(200))
    await desk.point(partnerId, later)
    await desk.advance(100_000_000)
    const [delivery] = await desk.deliveries(partnerId)
    if (
      delivery?.status !== 'failed' ||
      delivery.nextAttemptAt !== null ||
      later.received.length > 0
    )
      problems.push(`an address that was removed, ${status}: ${JSON.stringify(delivery)}`)
  }
  return problems
}

/**
 * A person resends a delivery: it is sent again under its own id, while it waits for its next attempt
 * and after it was delivered.
 */
const resent: Scenario = async (desk, receivers) => {
  const receiver = receivers.add('resent', plain(500))
  const partnerId = await desk.partner(receiver)
  const first = await desk.fire(partnerId)
  await until(
    'the first failure',
    async () => (await desk.deliveries(partnerId))[0]?.attempts?.length === 1,
  )
  receiver.answer = plain(200)
  const resend = async () =>
    (
      await desk
        .dashboard()
        .resendDelivery({ params: { id: partnerId, deliveryId: first.deliveryId } })
    ).body
  const second = await resend()
  const delivered = (attempts: number) =>
    until(`attempt ${attempts}`, async () => {
      const [only] = await desk.deliveries(partnerId)
      return only?.status === 'delivered' && only.attempts?.length === attempts
    })
  await delivered(2)
  await desk.advance(10_000)
  const third = await resend()
  await delivered(3)
  const right =
    receiver.received.length === 3 &&
    (await desk.deliveries(partnerId)).length === 1 &&
    [
      first,
      second,
      third,
      ...receiver.received.map(({ delivery: deliveryId, eventId }) => ({ deliveryId, eventId })),
    ].every(
      ({ deliveryId, eventId }) => deliveryId === first.deliveryId && eventId === first.eventId,
    )
  return right
    ? []
    : [
        'an event that was resent: ' +
          `${JSON.stringify(receiver.received.map(({ delivery, eventId }) => ({ delivery, eventId })))}`,
      ]
}

/** A suspended account still receives the deliveries that were started. */
const suspended: Scenario = async (desk, receivers) => {
  const receiver = receivers.add('suspended', plain(500))
  const partnerId = await desk.partner(receiver)
  await desk.fire(partnerId)
  await until(
    'the first failure',
    async () => (await desk.deliveries(partnerId))[0]?.attempts?.length === 1,
  )
  await desk.dashboard().changePartner({ params: { id: partnerId }, body: { status: 'suspended' } })
  receiver.answer = plain(200)
  await desk.advance(10_000)
  const [delivery] = await desk.deliveries(partnerId)
  return delivery?.status === 'delivered'
    ? []
    : [`a suspended account: ${JSON.stringify(delivery)}`]
}

/**
 * Changes to an account while its deliveries are in flight. One after the other, because each moves
 * the clock for all.
 */
export async function changes(
  desk: DashboardClient,
  receivers: Receivers,
): Promise<{ problems: string[] }> {
  const problems: string[] = []
  for (const scenario of [moved, removed, resent, suspended])
    problems.push(...(await scenario(desk, receivers)))
  return { problems }
}
