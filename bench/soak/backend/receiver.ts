/**
 * A webhook receiver that records events before it responds, and sometimes rejects a first attempt.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedEvent = {
  readonly eventId: string
  readonly event: string
  readonly body: string
}

export type Receiver = {
  readonly url: string
  /**
   * Distinct events about an order id or a top-up's reference, in the order of their first arrival.
   */
  about(subject: string): readonly ReceivedEvent[]
  /** Bodies that changed between two attempts of one event. */
  readonly changed: string[]
  close(): Promise<void>
}

type Envelope = {
  readonly id: string
  readonly event: string
  readonly data: { readonly id?: string; readonly reference?: string }
}

export async function startReceiver(below: (limit: number) => number): Promise<Receiver> {
  const events = new Map<string, ReceivedEvent>()
  const subjects = new Map<string, ReceivedEvent[]>()
  const changed: string[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    // A request that was interrupted because the sender was killed doesn't count as an event.
    request
      .on('error', () => undefined)
      .on('end', () => {
        const { id, event, data } = JSON.parse(body) as Envelope
        const before = events.get(id)
        if (before === undefined) {
          const told = { eventId: id, event, body }
          events.set(id, told)
          const subject = data.id ?? data.reference ?? ''
          subjects.set(subject, [...(subjects.get(subject) ?? []), told])
        } else if (before.body !== body) changed.push(id)
        response.writeHead(before === undefined && below(12) === 0 ? 503 : 204).end()
      })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    about: (subject) => subjects.get(subject) ?? [],
    changed,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
