import { until } from './dashboard.ts'
import type { DashboardClient } from './dashboard.ts'
import { plain } from './receivers.ts'
import type { Received, Receiver, Receivers } from './receivers.ts'

/** Maximum number of concurrent attempts per address. */
const IN_FLIGHT = 4

export type IsolationResult = { problems: string[]; aloneMs: number; besideDeadMs: number }

const middle = (values: readonly number[]): number =>
  Math.round([...values].toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)

/** Milliseconds from the request for each event to its arrival. */
async function delays(
  desk: DashboardClient,
  partnerId: string,
  receiver: Receiver,
  count: number,
): Promise<number[]> {
  const asked = new Map<string, number>()
  for (let event = 0; event < count; event += 1) {
    const at = performance.now()
    asked.set((await desk.fire(partnerId)).deliveryId, at)
  }
  const arrivals = await until('all events of the working receiver', () => {
    const own: Received[] = receiver.received.filter(({ delivery }) => asked.has(delivery))
    return own.length === count && own
  })
  return arrivals.map(({ delivery, at }) => at - (asked.get(delivery) ?? 0))
}

/**
 * A working receiver next to many that hang: it receives all its events in the meantime, and none
 * exceeds the maximum number of concurrent requests. Afterwards the hanging ones respond, and then
 * receive everything that waited, oldest first.
 */
export async function testIsolation(
  desk: DashboardClient,
  receivers: Receivers,
  { dead, events }: { dead: number; events: number },
): Promise<IsolationResult> {
  const problems: string[] = []
  const living = receivers.add('living', plain(200))
  const partnerId = await desk.partner(living)
  const alone = await delays(desk, partnerId, living, events)

  const held: (() => void)[] = []
  const measureWaits = IN_FLIGHT + 3
  const hanging = await Promise.all(
    Array.from({ length: dead }, async (_, index) => {
      const receiver = receivers.add(`dead-${index}`, (response, ...rest) => {
        held.push(() => {
          plain(200)(response, ...rest)
        })
      })
      const id = await desk.partner(receiver)
      const fired: string[] = []
      for (let event = 0; event < measureWaits; event += 1)
        fired.push((await desk.fire(id)).deliveryId)
      return { id, receiver, fired }
    }),
  )
  await until('the dead receivers to hang', () =>
    hanging.every(({ receiver }) => receiver.open.now === IN_FLIGHT),
  )
  const beside = await delays(desk, partnerId, living, events)
  if (!hanging.every(({ receiver }) => receiver.open.now === IN_FLIGHT))
    problems.push('the working receiver had to wait for the dead ones')

  for (const { receiver } of hanging) receiver.answer = plain(200)
  for (const letGo of held.splice(0)) letGo()
  for (const { id, receiver, fired } of hanging) {
    await until('the waiting events of the dead receivers', async () =>
      (await desk.deliveries(id)).every(({ status }) => status === 'delivered'),
    )
    if (receiver.open.most > IN_FLIGHT)
      problems.push(`${receiver.open.most} attempts ran at one address`)
    const { attempts } = (await desk.deliveries(id)).reduce(
      (sum, delivery) => ({ attempts: sum.attempts + (delivery.attempts?.length ?? 0) }),
      { attempts: 0 },
    )
    if (attempts !== receiver.received.length)
      problems.push(`${attempts} attempts are recorded, ${receiver.received.length} arrived`)
    if (!fired.every((delivery) => receiver.received.some((one) => one.delivery === delivery)))
      problems.push('a waiting event did not arrive')
    const begun = (await desk.deliveries(id))
      .toReversed()
      .map((delivery) => Date.parse(delivery.attempts?.[0]?.at ?? ''))
    if (begun.some((at, index) => index > 0 && at < (begun[index - 1] ?? 0)))
      problems.push('a newer event was sent before an older one')
  }
  return { problems, aloneMs: middle(alone), besideDeadMs: middle(beside) }
}
