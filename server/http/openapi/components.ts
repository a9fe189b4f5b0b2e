/**
 * The named schemas of the OpenAPI document, converted by zod from the schemas that the service
 * uses.
 */
import { z } from 'zod'
import {
  dispute,
  disputePage,
  disputeWithMessages,
  message,
  messageRequest,
  replacementRequest,
} from '../../api/schemas/dispute.ts'
import type { Api, Endpoint } from '../../api/endpoints/endpoint.ts'
import { commonErrors, endpointOf, operationIds } from '../../api/endpoints/endpoints.ts'
import { type ErrorCode, errorBodySchema, errorCodes } from '../../api/errors.ts'
import {
  keyUpload,
  offer,
  offerChange,
  offerPage,
  offerRequest,
  savedOffer,
  seller,
  sellerProduct,
  sellerProductPage,
  uploadResult,
  withdrawal,
  withdrawnKeys,
} from '../../api/schemas/offer.ts'
import {
  deliveredKey,
  order,
  orderKeys,
  orderLine,
  orderPage,
  orderRequest,
} from '../../api/schemas/order.ts'
import { balance, ping, queuedTest } from '../../api/schemas/partner-account.ts'
import { meta, product, productPage, productWithTiers } from '../../api/schemas/product.ts'
import { sale, salePage, sellerBalance } from '../../api/schemas/sale.ts'
import { balanceEvent, orderEvent, testEvent } from '../../api/schemas/webhook-event.ts'
import { descriptionOf } from './descriptions/fields.ts'

const named: Readonly<Record<string, z.ZodType>> = {
  ErrorBody: errorBodySchema,
  Ping: ping.strict,
  Balance: balance.strict,
  Product: product.strict,
  ProductWithTiers: productWithTiers.strict,
  ProductPage: productPage.strict,
  Meta: meta.strict,
  OrderRequest: orderRequest,
  Order: order.strict,
  OrderLine: orderLine.strict,
  OrderPage: orderPage.strict,
  Key: deliveredKey.strict,
  OrderKeys: orderKeys.strict,
  QueuedTest: queuedTest.strict,
  OrderEvent: orderEvent.strict,
  BalanceCreditedEvent: balanceEvent.strict,
  WebhookTestEvent: testEvent.strict,
  Seller: seller.strict,
  SellerProduct: sellerProduct.strict,
  SellerProductPage: sellerProductPage.strict,
  Offer: offer.strict,
  OfferPage: offerPage.strict,
  OfferRequest: offerRequest,
  OfferChange: offerChange,
  SavedOffer: savedOffer.strict,
  KeyUpload: keyUpload,
  UploadResult: uploadResult.strict,
  Withdrawal: withdrawal,
  WithdrawnKeys: withdrawnKeys.strict,
  Sale: sale.strict,
  SalePage: salePage.strict,
  SellerBalance: sellerBalance.strict,
  Dispute: dispute.strict,
  DisputePage: disputePage.strict,
  DisputeWithMessages: disputeWithMessages.strict,
  Message: message.strict,
  MessageRequest: messageRequest,
  ReplacementRequest: replacementRequest,
}

export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * Requests keep "no other properties". Responses can gain fields (Decision 22), so a client must
 * not reject unknown ones.
 */
const closed: ReadonlySet<z.core.$ZodType> = new Set<z.core.$ZodType>([
  orderRequest,
  orderRequest.shape.items.element,
  offerRequest,
  offerChange,
  keyUpload,
  withdrawal,
  messageRequest,
  replacementRequest,
])

/** Codes that a request to one of the interfaces can get, in the order of the error table. */
function codesOf(...interfaces: Api[]): readonly ErrorCode[] {
  const used = new Set<ErrorCode>(
    operationIds
      .map((operation): Endpoint => endpointOf(operation))
      .filter(({ api }) => interfaces.includes(api))
      .flatMap(({ api, errors }) => [...commonErrors[api], ...errors]),
  )
  return errorCodes.filter((code) => used.has(code))
}

const publicCodes = codesOf('partner', 'seller')

/** Writes a record with a closed list of names as an object with these properties. */
function nameProperties(schema: z.core.JSONSchema.BaseSchema): void {
  const { propertyNames, additionalProperties } = schema
  if (typeof propertyNames !== 'object' || propertyNames.enum === undefined) return
  const value = additionalProperties ?? {}
  schema.properties = Object.fromEntries(propertyNames.enum.map((name) => [String(name), value]))
  delete schema.propertyNames
}

function tidy(context: {
  zodSchema: z.core.$ZodType
  jsonSchema: z.core.JSONSchema.BaseSchema
}): void {
  const { zodSchema, jsonSchema } = context
  if (zodSchema === errorBodySchema.shape.error.shape.code) {
    // Codes are open: a client must accept one that it doesn't know (Decision 44).
    delete jsonSchema.enum
    Object.assign(jsonSchema, { 'x-extensible-enum': publicCodes })
  }
  nameProperties(jsonSchema)
  if (jsonSchema.type === 'object' && !closed.has(zodSchema)) delete jsonSchema.additionalProperties
  if ((jsonSchema.minimum ?? 0) < -BOUNDLESS) delete jsonSchema.minimum
  if ((jsonSchema.maximum ?? 0) > BOUNDLESS) delete jsonSchema.maximum
  const rule = ruleOf(zodSchema)
  if (rule !== undefined) Object.assign(jsonSchema, rule)
}

/** Larger bounds are only limits of the number type, so they are left out. */
const BOUNDLESS = 10_000_000_000

/** Requirements of a body beyond the shape of its fields. */
function ruleOf(schema: z.core.$ZodType): object | undefined {
  if (schema === offerChange) return { minProperties: 1 }
  return schema === replacementRequest
    ? { oneOf: [{ required: ['key'] }, { required: ['fromStock'] }] }
    : undefined
}

const uri = (name: string): string => `#/components/schemas/${name}`

function withoutIdentity(schema: object): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => name !== '$schema' && name !== '$id'),
  )
}

type Node = JsonSchema & {
  properties?: Record<string, Node>
  items?: Node
  anyOf?: Node[]
  description?: string
}

/** Adds the description of each field below a schema. */
function describe(node: Node, path: string): void {
  for (const part of [node.items, ...(node.anyOf ?? [])])
    if (part !== undefined) describe(part, path)
  for (const [name, field] of Object.entries(node.properties ?? {})) {
    const meaning = descriptionOf(`${path}.${name}`)
    if (meaning !== undefined) field.description = meaning
    describe(field, `${path}.${name}`)
  }
}

/** `components.schemas` of the document. */
export function componentSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri, override: tidy })
  for (const [name, schema] of Object.entries(schemas)) describe(schema as Node, name)
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, withoutIdentity(schema)]),
  )
}

/** The Error body of the dashboard, which has codes of its own (Decision 44). */
export function dashboardErrorBody(): JsonSchema {
  const body = structuredClone(componentSchemas()['ErrorBody']) as Node
  const code = body.properties?.['error']?.properties?.['code']
  if (code === undefined) throw new Error('the Error body has no code in the OpenAPI document')
  Object.assign(code, { 'x-extensible-enum': codesOf('dashboard') })
  return body
}

/** A reference to a named schema. Throws if it has no name: every body of both APIs needs one. */
export function referenceTo(schema: z.ZodType): JsonSchema {
  const name = Object.keys(named).find((candidate) => named[candidate] === schema)
  if (name === undefined)
    throw new Error('a body of the public APIs has no name in the OpenAPI document')
  return { $ref: uri(name) }
}

/** The schema of a body that has no name, as it is sent. */
export function bodySchema(schema: z.ZodType): JsonSchema {
  return withoutIdentity(z.toJSONSchema(schema, { io: 'input', override: tidy }))
}

/** The schema of one query parameter, with its parsed type. */
export function parameterSchema(schema: z.ZodType): JsonSchema {
  return withoutIdentity(z.toJSONSchema(schema, { io: 'output', override: tidy }))
}
