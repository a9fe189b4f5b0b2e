/**
 * Encoding of responses. Each strict schema is compiled once to a function that converts cents to
 * EUR in the schema's money fields and leaves everything else unchanged: a response with fifty
 * products costs one shallow copy per product instead of a validation.
 */
import { z } from 'zod'
import { endpointOf } from './endpoints/endpoints.ts'
import type { ApiError, ErrorBody } from './errors.ts'
import { type Cents, euroAmount, fromCents, isAnswerAmount } from './money.ts'
import type { ResultOf, BytesResponse, EncodedResponse, OperationId } from './handlers.ts'

/** Converts a value to its wire form; null when the value already is its wire form. */
type Encoder = ((value: unknown) => unknown) | null

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function objectEncoder(schema: z.ZodObject): Encoder {
  const members = Object.entries(schema.shape).flatMap(([name, part]) => {
    const encode = compile(part)
    return encode === null ? [] : [{ name, encode }]
  })
  if (members.length === 0) return null
  return (value) => {
    if (!isRecord(value)) return value
    const wire = { ...value }
    for (const { name, encode } of members) wire[name] = encode(wire[name])
    return wire
  }
}

/**
 * Converts an amount as {@link euroAmount} does. Its codec takes several times as long, and is used
 * only for a value that it rejects.
 */
const encodeAmount = (value: unknown): unknown =>
  isAnswerAmount(value) ? fromCents(value) : z.encode(euroAmount, value as Cents)

/** Codecs convert money; containers convert their parts; every other value is its own wire form. */
function compile(schema: z.core.$ZodType): Encoder {
  if (schema === euroAmount) return encodeAmount
  if (schema instanceof z.ZodCodec) return (value) => z.encode(schema, value)
  if (schema instanceof z.ZodObject) return objectEncoder(schema)
  if (schema instanceof z.ZodArray) {
    const encode = compile(schema.element)
    return encode === null ? null : (value) => (Array.isArray(value) ? value.map(encode) : value)
  }
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const encode = compile(schema.unwrap())
    return encode === null
      ? null
      : (value) => (value === null || value === undefined ? value : encode(value))
  }
  return null
}

const compiled = new Map<string, Encoder>()

function encoderOf(operation: OperationId, status: number): Encoder {
  const id = `${operation} ${status}`
  const known = compiled.get(id)
  if (known !== undefined) return known
  const answer = endpointOf(operation).responses[status]
  const encoder = answer === null || answer === undefined ? null : compile(answer.strict)
  compiled.set(id, encoder)
  return encoder
}

/** A response body for JSON: the same fields, with money in EUR. */
function encodeBody<Op extends OperationId>(operation: Op, answer: ResultOf<Op>): unknown {
  const encode = encoderOf(operation, answer.status)
  return encode === null ? answer.body : encode(answer.body)
}

/** Encodes a response, ready to be sent and stored for replays. */
export function encodeResponse<Op extends OperationId>(
  operation: Op,
  answer: ResultOf<Op>,
): EncodedResponse {
  return {
    status: answer.status,
    json: answer.body === undefined ? null : JSON.stringify(encodeBody(operation, answer)),
  }
}

/** The body to send for a handler's result: JSON as text, or already in UTF-8; null for no body. */
export function payloadOf<Op extends OperationId>(
  operation: Op,
  answer: ResultOf<Op> | EncodedResponse | BytesResponse,
): string | Uint8Array<ArrayBuffer> | null {
  if ('bytes' in answer) return answer.bytes
  return 'json' in answer ? answer.json : encodeResponse(operation, answer).json
}

/**
 * The Error body of a refusal. A replayed refusal keeps the id of the request that was first
 * refused.
 */
export function errorBody(error: ApiError, requestId: string): ErrorBody {
  const base = { code: error.code, message: error.message }
  const id = error.requestId ?? requestId
  return {
    error:
      error.details === undefined
        ? { ...base, requestId: id }
        : { ...base, details: error.details, requestId: id },
  }
}
