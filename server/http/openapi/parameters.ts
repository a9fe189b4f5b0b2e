/** Parameters of the document: what each means, and a value to try. */
import type { Endpoint } from '../../api/endpoint.ts'
import { pathParameters } from '../../api/endpoints.ts'
import { parameterSchema } from './components.ts'
import type { PublicOperation } from './example.ts'
import { completedOrder, productId } from './examples-partner.ts'

type Note = { readonly description: string; readonly example?: unknown }

const page: Note = { description: 'Number of the page, from 1.', example: 1 }
const limit: Note = { description: 'How many results a page has.', example: 50 }

/** Query parameters that mean the same wherever they are. */
const queryNotes: Readonly<Record<string, Note>> = {
  page,
  limit,
  // No example: the others are a request that can be sent as it is, and a cursor would be refused
  // beside them.
  cursor: {
    description:
      '`nextCursor` of an earlier answer. Opaque; bound to the filters it was issued with, and not to be combined with `page` or `updatedSince`.',
  },
  updatedSince: {
    description: 'Only what changed at this time or later.',
    example: '2026-01-01T00:00:00Z',
  },
  inStock: {
    description: 'Only what can be had now (true), or only what cannot (false).',
    example: true,
  },
  platform: { description: 'The platform, exactly as `GET /meta` names it.', example: 'Steam' },
  region: { description: 'The region, exactly as `GET /meta` names it.', example: 'Global' },
  productType: { description: 'The kind of product.', example: 'game' },
  deliveryType: {
    description:
      'What is delivered: a code, a gift link, account credentials or an activation link.',
    example: 'key',
  },
  search: {
    description: 'Part of the name, in any case, or an exact product id.',
    example: 'tide',
  },
  ids: {
    description: 'Product ids with commas between, 100 at most.',
    example: [productId, 'prd_10178'],
  },
  includeRemoved: {
    description:
      'Also what left the catalogue, with `removed: true`. A copy that is kept up to date needs it.',
    example: true,
  },
  wait: {
    description: 'Seconds to wait for the order to be final before answering, in real time.',
    example: 5,
  },
  externalId: { description: 'Your own name of the order.', example: completedOrder.externalId },
  createdFrom: {
    description: 'Orders made at this time or later.',
    example: '2026-01-01T00:00:00Z',
  },
  createdTo: { description: 'Orders made before this time.', example: '2036-01-01T00:00:00Z' },
}

const statusNotes: Readonly<Partial<Record<PublicOperation, Note>>> = {
  listOrders: { description: 'Orders in this state.', example: 'completed' },
  listOffers: { description: 'Offers in this state.', example: 'active' },
  listDisputes: { description: 'Disputes in this state.', example: 'open' },
}

/** The `id` of a path, by what stands before it. */
const idNotes: Readonly<Record<string, Note>> = {
  products: { description: 'Id of the product.', example: productId },
  orders: { description: 'Id of the order.', example: completedOrder.id },
  offers: { description: 'Id of the offer.', example: 'off_1kdvdne5kgkypnadny2k' },
  disputes: { description: 'Id of the dispute.', example: 'dsp_1kdvdna057a458zymmxa' },
}

function noted(note: Note | undefined, what: string): Note {
  if (note === undefined) throw new Error(`no words for ${what} in the OpenAPI document`)
  return note
}

const idempotencyKey = (operation: PublicOperation) => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Names this request for 24 hours: printable ASCII, one name per thing you want done. Repeat it to get the first answer again.',
  schema: { type: 'string', minLength: 8, maxLength: 100, pattern: '^[\\x20-\\x7E]*$' },
  example: operation === 'createOrder' ? 'shop-10042-order' : `${operation}-10042`,
})

/** A list travels as one text with commas between. */
const commaList = {
  style: 'form',
  explode: false,
  schema: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 100 },
}

/** All parameters of an operation. Throws when one has no words. */
export function parametersOf(operation: PublicOperation, endpoint: Endpoint): object[] {
  const path = pathParameters(endpoint.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...noted(idNotes[endpoint.path.split('/')[1] ?? ''], `${operation}, ${name}`),
  }))
  const query = Object.entries(endpoint.query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    ...(name === 'ids' ? commaList : { schema: parameterSchema(schema) }),
    ...noted(
      name === 'status' ? statusNotes[operation] : queryNotes[name],
      `${operation}, ${name}`,
    ),
  }))
  return [...path, ...query, ...(endpoint.idempotent ? [idempotencyKey(operation)] : [])]
}
