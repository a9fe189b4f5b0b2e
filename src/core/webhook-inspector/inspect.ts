import { webhookHeaders } from '../../../server/api/schemas/webhook-event.ts'
import { conclusionOf } from '../../contract/webhook-inspector.ts'
import type {
  InspectorEvent,
  InspectorEventDetail,
  Receiver,
} from '../../contract/webhook-inspector.ts'
import type { ReceivedWebhook } from './receiver.ts'
import { headerOf, verify } from './verify.ts'

/** An object in the service's wire format. */
export type Wire = Record<string, unknown>

const shownCharacters = 200_000

const isRecord = (value: unknown): value is Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)
function parsed(body: Buffer): Wire {
  try {
    const value: unknown = JSON.parse(body.toString())
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** The data of an event, from the body of its request. Empty if there is none. */
export function dataOf(body: string | Buffer): Wire {
  const { data } = parsed(typeof body === 'string' ? Buffer.from(body) : body)
  return isRecord(data) ? data : {}
}

type Options = Pick<InspectorEvent, 'from' | 'eventKey' | 'receivedAt'> & {
  /** The status that the inspector responds with to genuine requests. */
  answer: Receiver['answer']
  /** Events received before, to detect a late one. */
  events: readonly InspectorEventDetail[]
  verification: Parameters<typeof verify>[1]
}

/** Verifies a request and describes it as an event of the inspector. */
export function inspect(request: ReceivedWebhook, options: Options): InspectorEventDetail {
  const { from, answer, events, eventKey, receivedAt } = options
  const results = verify(request, options.verification)
  const rejects = conclusionOf(results).process === 'reject'
  const envelope = parsed(request.body)
  const data = dataOf(request.body)
  const event = text(envelope['event']) ?? headerOf(request.headers, webhookHeaders.event)
  const orderId = event?.startsWith('order.') === true ? text(data['id']) : null
  const createdAt = Date.parse(text(envelope['createdAt']) ?? '')
  return {
    eventKey,
    receivedAt,
    from,
    event,
    orderId,
    results,
    answered: from === 'pasted' ? null : rejects && answer === 204 ? 400 : answer,
    about: aboutOf(event, data),
    late:
      orderId !== null &&
      events.some(
        (each) =>
          each.orderId === orderId &&
          each.results.signature.result === 'genuine' &&
          momentOf(each) > createdAt,
      ),
    method: request.method,
    path: request.path,
    headers: request.headers.map(([name, value]): [string, string] => [name, value]),
    body: request.body.toString('utf8').slice(0, shownCharacters),
    bytes: request.body.length,
    compared: null,
  }
}

const momentOf = ({ body }: InspectorEventDetail): number =>
  Date.parse(text(parsed(Buffer.from(body))['createdAt']) ?? '')

function aboutOf(event: string | null, data: Wire): string {
  if (event?.startsWith('order.') === true)
    return text(data['externalId']) ?? text(data['id']) ?? ''
  if (event === 'balance.credited')
    return typeof data['amount'] === 'number' ? `${data['amount'].toFixed(2)} added` : ''
  return text(data['message']) ?? ''
}
