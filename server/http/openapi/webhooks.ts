/** Webhook events of the document, each with its headers and an example (Partner API, Events). */
import type { z } from 'zod'
import {
  balanceEvent,
  orderEvent,
  testEvent,
  webhookHeaders,
} from '../../api/schemas/webhook-event.ts'
import { webhookEvents } from '../../api/schemas/enums.ts'
import { referenceTo } from './components.ts'
import { completedOrder, failedOrder, partialOrder } from './examples/examples-partner.ts'

type EventName = (typeof webhookEvents)[number]
type EventNote = {
  readonly summary: string
  readonly description: string
  readonly schema: z.ZodType
  readonly data: unknown
}

const orderData = '`data` is the order as in `GET /orders/{id}` at the time of the event.'

const notes: Readonly<Record<EventName, EventNote>> = {
  'order.completed': {
    summary: 'Every unit of an order was delivered',
    description: orderData,
    schema: orderEvent.strict,
    data: completedOrder,
  },
  'order.partially_completed': {
    summary: 'Some units were delivered, the others were credited back',
    description: orderData,
    schema: orderEvent.strict,
    data: partialOrder,
  },
  'order.failed': {
    summary: 'Nothing was delivered, everything was credited back',
    description: orderData,
    schema: orderEvent.strict,
    data: failedOrder,
  },
  'balance.credited': {
    summary: 'A top-up was added to the balance',
    description: 'Sent when a bank transfer arrives. `ledgerId` is its ledger entry.',
    schema: balanceEvent.strict,
    data: {
      amount: 250,
      balance: 1219.08,
      currency: 'EUR',
      reference: 'KD-7Q2M-9XDP-4WHR',
      ledgerId: 'led_000048211',
    },
  },
  'webhook.test': {
    summary: 'You requested a test',
    description: 'Sent by `POST /webhooks/test` and by the test button of the dashboard.',
    schema: testEvent.strict,
    data: { message: 'This is a test of your webhook endpoint.' },
  },
}

/** Examples by event, with the complete envelope. */
export const eventExamples = Object.fromEntries(
  webhookEvents.map((event, index) => [
    event,
    {
      schema: notes[event].schema,
      value: {
        id: `evt_1kdvdnaw0c6m3g9sx5t${index}`,
        mode: 'test',
        createdAt: '2026-03-02T09:00:00.210Z',
        event,
        data: notes[event].data,
      },
    },
  ]),
)

const headerNotes = (event: EventName) => ({
  [webhookHeaders.event]: { description: 'The name of the event.', example: event },
  [webhookHeaders.delivery]: {
    description:
      'The id of the delivery: the same for all its attempts and for manual resends, so that you ' +
      'can detect repeats.',
    example: 'dlv_1kdvdnaw0r2j8p4hkz7e',
  },
  [webhookHeaders.signature]: {
    description:
      '`t=<unix seconds>,v1=<hex>`: the HMAC-SHA256 of `<t>.<raw body>` ' +
      'with the signing secret as the key. New at each attempt; `t` is the real time of sending.',
    example: `t=1772442000,v1=${'5257a869e7'.repeat(6)}5257`,
  },
})

const RECEIVER_STEPS =
  'Verify the signature over the raw body, store the delivery, and respond with 2xx within 8 ' +
  'seconds. The chapter Webhooks shows both.'

function webhookOf(event: EventName): object {
  const { summary, description, schema } = notes[event]
  return {
    post: {
      operationId: `on.${event}`,
      tags: ['Partner: webhooks'],
      summary: event,
      description: `${summary}. ${description}\n\n${RECEIVER_STEPS}`,
      security: [],
      parameters: Object.entries(headerNotes(event)).map(([name, note]) => ({
        name,
        in: 'header',
        required: true,
        schema: { type: 'string' },
        ...note,
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: referenceTo(schema),
            examples: { event: { summary, value: eventExamples[event]?.value } },
          },
        },
      },
      responses: {
        '2XX': { description: 'Received.' },
        '4XX': {
          description:
            'Not received. The service retries later, as after any other status, a redirect, ' +
            'or no response within 8 seconds.',
        },
      },
    },
  }
}

/** The document's `webhooks`, by the name of the event. */
export const webhooks = (): Record<string, object> =>
  Object.fromEntries(webhookEvents.map((event) => [event, webhookOf(event)]))
