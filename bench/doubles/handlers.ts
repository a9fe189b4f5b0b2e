/**
 * The bugs that a double reveals by its own events: handlers with one planted bug each receive the
 * same events as a correct handler, and their states are compared afterwards.
 */
import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { root } from '../../scripts/lib/paths.mjs'
import { type Handler, startHandler } from '../../server/certify/handler.ts'
import { byProbe, type Observed } from '../../server/certify/observed.ts'
import { freePort } from '../backend/peers.ts'
import type { Double, Receiver, RunningDouble } from './double.ts'
import { createShop, field, newReference } from './shop.ts'

/** At least one bug for each promise of the certificate that the state of a handler shows. */
export const comparedBugs = [
  'trusts-delivery-id',
  'checks-too-early',
  'marks-then-ships',
  'ships-then-marks',
  'trusts-everyone',
  'trusts-unsigned',
  'signs-parsed-json',
  'ignores-the-time',
  'treats-test-as-live',
  'drops-older-events',
  'ignores-partial-orders',
  'hands-on-one-unit',
] as const

const CORRECT = 'none'
/** A double that sends nothing more for so long has sent everything. */
const QUIET_MS = 3000
const LONGEST_MS = 30_000

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Receives events, and passes each on to all handlers as it came. */
async function startReceiver() {
  const targets: URL[] = []
  let secret = 'whsec_bench'
  let [busy, count, latest] = [0, 0, performance.now()]
  const server = createServer(async (request, response) => {
    busy += 1
    count += 1
    const body = await bodyOf(request)
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(
        ([name]) => name.startsWith('x-svc-') || name === 'content-type',
      ),
    ) as Record<string, string>
    const answers = await Promise.all(
      targets.map((target) =>
        fetch(target, { method: 'POST', headers, body: new Uint8Array(body) }).then(
          ({ status }) => status,
          () => 503,
        ),
      ),
    )
    // The first handler is the correct one, which the double is meant to talk to.
    response.writeHead(answers[0] ?? 204).end()
    busy -= 1
    latest = performance.now()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    get secret() {
      return secret
    },
    useSecret: (given) => void (secret = given),
  }
  return {
    receiver,
    targets,
    received: () => count,
    async quiet(): Promise<void> {
      const limit = performance.now() + LONGEST_MS
      latest = performance.now()
      while (performance.now() < limit && (busy > 0 || performance.now() - latest < QUIET_MS))
        await delay(50)
    },
    stop: () => server.close(),
  }
}

/**
 * Everything that a tester can do at a double without a program of their own: orders that are
 * delivered, in part or not, in both modes and at the same time, the test event, and a resend.
 *
 * @returns ids of the orders
 */
async function stimulate(double: RunningDouble): Promise<string[]> {
  const [shop, tester] = [createShop(double), createShop({ ...double, key: double.testKey })]
  const { plenty, broken } = double.shelf
  const ids: string[] = []
  async function order(at: typeof shop, lines: Parameters<typeof shop.place>[0]): Promise<void> {
    const named = { externalId: newReference(), idempotencyKey: newReference() }
    const { body } = await at.place(lines, named)
    const id = field(body, 'id')
    if (typeof id === 'string' || typeof id === 'number') ids.push(String(id))
  }
  const two = [{ product: plenty, qty: 2 }]
  await order(shop, two)
  await order(shop, [...two, { product: broken, qty: 1 }])
  await order(tester, two)
  await Promise.all([order(shop, two), order(shop, two)])
  await shop.call('POST', '/webhooks/test')
  await double.controls?.resend()
  return ids
}

/** An order's state and units, so that two handlers can be compared. */
const textOf = ({ units, orders }: Observed): string =>
  JSON.stringify([
    units.map(({ id, order }) => `${order} ${id}`).toSorted(),
    (orders ?? []).map(({ id, status }) => `${id} ${status}`).toSorted(),
  ])

type Started = { readonly bug: string; readonly origin: string; readonly handler: Handler }

async function startOne(
  bug: string,
  folder: string,
  double: RunningDouble,
  secret: string,
): Promise<Started> {
  const origin = `http://127.0.0.1:${await freePort()}`
  const own = path.join(folder, bug)
  mkdirSync(own)
  const program = path.join(root, 'server/certify/zoo/planted.mjs')
  const command = `exec "${process.execPath}" "${program}" "${own}" ${bug}`
  const handler = await startHandler(new URL(`${origin}/hook`), command, {
    KEYDESK_BASE_URL: double.baseUrl,
    KEYDESK_API_KEY: double.key,
    KEYDESK_WEBHOOK_SECRET: secret,
  })
  return { bug, origin, handler }
}

export type Revealed = {
  readonly events: number
  /** Orders that the correct handler handed on. */
  readonly handedOn: number
  readonly bugs: Record<string, boolean>
}

/** Starts a double, makes it send its events, and compares the handlers. */
export async function revealByEvents(
  double: Double,
  folder: string,
  document: string,
  bugs: readonly string[],
): Promise<Revealed> {
  mkdirSync(folder, { recursive: true })
  const fan = await startReceiver()
  const running = await double.start(folder, document, fan.receiver)
  const started: Started[] = []
  try {
    for (const bug of [CORRECT, ...bugs])
      started.push(await startOne(bug, folder, running, fan.receiver.secret))
    fan.targets.push(...started.map(({ origin }) => new URL(`${origin}/hook`)))
    const ids = [...new Set([...(await stimulate(running)), ...running.announced])]
    await fan.quiet()
    const observed = await Promise.all(
      started.map(({ origin }) => byProbe(new URL(`${origin}/state`))(ids)),
    )
    const [correct, ...others] = observed.map(textOf)
    return {
      events: fan.received(),
      handedOn: observed[0]?.orders?.length ?? 0,
      bugs: Object.fromEntries(bugs.map((bug, at) => [bug, others[at] !== correct])),
    }
  } finally {
    for (const { handler } of started) await handler.stop()
    await running.stop()
    fan.stop()
  }
}
