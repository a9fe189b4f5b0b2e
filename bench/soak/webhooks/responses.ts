import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { until } from './dashboard.ts'
import type { Delivery, DashboardClient } from './dashboard.ts'
import { plain } from './receivers.ts'
import type { Answer, Receiver, Receivers } from './receivers.ts'

type Expected = { status: number | null; error: RegExp | null; delivered: boolean }
/** `tries`: a busy machine may delay a response that is just in time. */
type Case = { name: string; answer: Answer; expected: Expected; tries?: number }

const taken = (status: number): Expected => ({ status, error: null, delivered: true })
const refused = (status: number): Expected => ({ status, error: null, delivered: false })
const redirected = (status: number): Expected => ({
  status,
  error: /^redirects aren't followed$/,
  delivered: false,
})
const failed = (error: RegExp): Expected => ({ status: null, error, delivered: false })
const lateFor = failed(/^no response within 8 s$/)

const raw =
  (text: string, end: boolean): Answer =>
  (_response, _received, socket) =>
    void (end ? socket.end(text) : socket.write(text))
const late =
  (ms: number): Answer =>
  (response, ...rest) =>
    void after(ms).then(() => plain(200)(response, ...rest))

function drip(socket: Socket, text: string): void {
  const dripping = setInterval(() => socket.write(text), 100)
  socket
    .on('error', () => undefined)
    .on('close', () => {
      clearInterval(dripping)
    })
}

/**
 * The responses that a receiver can give immediately. `elsewhere`: an address that nothing may
 * reach.
 */
const quickResponses = (elsewhere: string): Case[] => [
  ...[200, 201, 202, 204, 299].map((status): Case => ({
    name: `${status}`,
    answer: plain(status),
    expected: taken(status),
  })),
  ...[300, 301, 302, 303, 307, 308].map((status): Case => ({
    name: `${status}`,
    answer: (response) => void response.writeHead(status, { location: elsewhere }).end(),
    expected: redirected(status),
  })),
  ...[400, 404, 410, 429, 500, 503].map((status): Case => ({
    name: `${status}`,
    answer: plain(status),
    expected: refused(status),
  })),
  {
    name: 'reset',
    answer: (_response, _received, socket) => void socket.resetAndDestroy(),
    expected: failed(/^ECONNRESET$/),
  },
  { name: 'nothing, then close', answer: raw('', true), expected: failed(/^ECONNRESET$/) },
  {
    name: 'half a head, then close',
    answer: raw('HTTP/1.1 200 OK\r\nContent-Le', true),
    expected: failed(/^ECONNRESET$/),
  },
  {
    name: 'half a body, then close',
    answer: raw('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nhalf', true),
    expected: taken(200),
  },
  { name: 'not HTTP', answer: raw('220 mail.example ESMTP\r\n', true), expected: failed(/^HPE_/) },
  {
    name: 'an oversized head',
    answer: raw(`HTTP/1.1 200 OK\r\n${'X-Pad: 1234567890\r\n'.repeat(2000)}\r\n`, true),
    expected: failed(/^(HPE_HEADER_OVERFLOW|ECONNRESET|EPIPE)$/),
  },
  {
    name: 'early hints first',
    answer: raw(
      'HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n',
      true,
    ),
    expected: taken(202),
  },
  {
    name: 'two responses',
    answer: raw(
      'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n',
      true,
    ),
    expected: taken(200),
  },
  {
    name: 'a slow body',
    answer: (_response, _received, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      drip(socket, 'x')
    },
    expected: taken(200),
  },
]

/** The responses that take the service's 8 seconds of real time. */
const slowResponses: Case[] = [
  { name: '7.9 s', answer: late(7900), expected: taken(200), tries: 3 },
  { name: '8.1 s', answer: late(8100), expected: lateFor },
  { name: 'never', answer: () => undefined, expected: lateFor },
  { name: 'half a head', answer: raw('HTTP/1.1 200 OK\r\nContent-Le', false), expected: lateFor },
  {
    name: 'a slow head',
    answer: (_response, _received, socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX: ')
      drip(socket, 'x')
    },
    expected: lateFor,
  },
  {
    name: 'endless hints',
    answer: (_response, _received, socket) => {
      drip(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n')
    },
    expected: lateFor,
  },
]

/** Sends bytes until no one reads them; returns how many were read. */
function endlessResponse(): { answer: Answer; poured: () => number; closed: Promise<void> } {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const chunk = Buffer.alloc(1024 * 1024)
  let written = 0
  return {
    poured: () => written,
    closed,
    answer(response) {
      response.on('close', resolve).writeHead(200)
      const pour = (): void => {
        if (response.destroyed) return
        written += chunk.length
        response.write(chunk, pour)
      }
      pour()
    },
  }
}

/** Loopback can buffer more than the service reads. */
const POURED_AT_MOST = 32 * 1024 * 1024

/** Every kind of response and non-response of a receiver; all at the same time, in real time. */
export async function testResponses(
  desk: DashboardClient,
  receivers: Receivers,
  { seconds }: { seconds: boolean },
): Promise<{ problems: string[]; answers: number }> {
  const problems: string[] = []
  let reached = 0
  const trap = createServer((socket) => {
    reached += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => {
    trap.listen(0, '127.0.0.1', resolve)
  })
  const flood = endlessResponse()
  const atOnce: Case[] = [
    ...quickResponses(`http://127.0.0.1:${(trap.address() as AddressInfo).port}/`),
    { name: 'an endless body', answer: flood.answer, expected: taken(200) },
  ]
  const inTime = seconds ? slowResponses : []

  async function attemptAt({ name, answer }: Case, path: string): Promise<Delivery> {
    const partnerId = await desk.partner(receivers.add(path, answer))
    await desk.fire(partnerId)
    const delivery = await until(`an attempt at "${name}"`, async () => {
      const [found] = await desk.deliveries(partnerId)
      return (found?.attempts?.length ?? 0) > 0 && found !== undefined ? found : false
    })
    await desk.dashboard().deleteWebhook({ params: { id: partnerId } })
    return delivery
  }

  function problemOf({ expected }: Case, { status, attempts = [] }: Delivery): string | null {
    const [attempt] = attempts
    const right =
      attempt?.status === expected.status &&
      (expected.error === null ? attempt.error === null : expected.error.test(attempt.error ?? ''))
    return right && (status === 'delivered') === expected.delivered
      ? null
      : `${JSON.stringify(attempt)}, it is ${status}`
  }

  async function run(one: Case, index: number): Promise<void> {
    let problem: string | null = null
    for (let left = one.tries ?? 1; left > 0; left -= 1) {
      problem = problemOf(one, await attemptAt(one, `answer-${index}-${left}`))
      if (problem === null) return
    }
    problems.push(`${one.name}: ${problem ?? ''}`)
  }

  await Promise.all(atOnce.map(run))
  await Promise.all(inTime.map((one, index) => run(one, atOnce.length + index)))
  await flood.closed
  if (flood.poured() > POURED_AT_MOST)
    problems.push(`${flood.poured()} bytes of an endless response were read`)
  if (reached > 0) problems.push('a redirect was followed')
  problems.push(...(await refusedAddresses(desk)), ...(await testUnreachable(desk, receivers)))
  await new Promise((resolve) => {
    trap.close(resolve)
  })
  return { problems, answers: atOnce.length + inTime.length }
}

const forbidden = [
  'http://example.com/',
  'https://10.0.0.1/',
  'https://192.168.1.1/',
  'https://172.16.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://0.0.0.0/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[64:ff9b::a00:1]/',
  'https://167772161/',
  'https://0x0a.1/',
  'https://user:pass@shop.example/',
  'ftp://shop.example/',
  'https://[::]/',
]

/** Addresses that a partner isn't allowed to set. */
async function refusedAddresses(desk: DashboardClient): Promise<string[]> {
  const {
    body: { id },
  } = await desk.dashboard().createPartner({ body: { name: 'Elsewhere' } })
  const problems: string[] = []
  for (const url of forbidden) {
    const answer = await fetch(`${desk.backend.ready.dashboardUrl}/partners/${id}/webhook`, {
      method: 'PUT',
      body: JSON.stringify({ url }),
      headers: {
        authorization: `Bearer ${desk.backend.ready.dashboardToken}`,
        'content-type': 'application/json',
      },
    })
    if (answer.status !== 400) problems.push(`${url} was accepted as an address`)
  }
  return problems
}

/** A port that no one listens on, and one without TLS. */
async function testUnreachable(desk: DashboardClient, receivers: Receivers): Promise<string[]> {
  const free = createServer()
  await new Promise<void>((resolve) => {
    free.listen(0, '127.0.0.1', resolve)
  })
  const { port } = free.address() as AddressInfo
  await new Promise((resolve) => {
    free.close(resolve)
  })
  const living = receivers.add('plain', plain(200))
  const problems: string[] = []
  for (const [url, error] of [
    [`http://127.0.0.1:${port}/`, /^ECONNREFUSED$/],
    [living.url.replace('http:', 'https:'), /SSL|EPROTO|ECONNRESET/],
  ] as const) {
    const nowhere: Receiver = { ...living, url, secrets: [] }
    const partnerId = await desk.partner(nowhere)
    await desk.fire(partnerId)
    const [attempt] = await until(`an attempt at ${url}`, async () => {
      const attempts = (await desk.deliveries(partnerId))[0]?.attempts ?? []
      return attempts.length > 0 && attempts
    })
    await desk.dashboard().deleteWebhook({ params: { id: partnerId } })
    if (attempt?.status !== null || !error.test(attempt.error ?? ''))
      problems.push(`${url}: ${JSON.stringify(attempt)}`)
  }
  return problems
}
