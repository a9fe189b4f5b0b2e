/** Request bodies: JSON in UTF-8, up to 16 MiB; anything else is VALIDATION_ERROR (Decision 9). */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { validationError } from '../../api/errors.ts'
import { headerValues } from '../access/credentials.ts'
import { nestsDeeper } from './nesting.ts'

const BODY_LIMIT = 16 * 1024 * 1024
/** How much of an oversized body is read, only to be able to respond to its sender. */
const DRAIN_LIMIT = 8 * BODY_LIMIT

/**
 * Much deeper than any request of the API. A small body can have any depth, because parsing it is
 * cheap.
 */
const MAX_DEPTH = 1000
const SMALL_BYTES = 64 * 1024

const utf8 = /^charset\s*=\s*"?utf-8"?$/i

/** Whether a content type is JSON in UTF-8: `application/json`, with or without its charset. */
function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim())
  if (parameters.at(-1) === '') parameters.pop()
  return (
    type.toLowerCase() === 'application/json' &&
    parameters.length <= 1 &&
    parameters.every((parameter) => utf8.test(parameter))
  )
}
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * An escape that can be half of a surrogate pair, and one that is: JSON.stringify writes complete
 * pairs unescaped.
 */
const surrogate = /\\u[dD][89a-fA-F]/
const loneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/

const notJson = () => validationError({ field: 'body', message: 'must be JSON in UTF-8' })

function checkType(request: FastifyRequest): void {
  const types = headerValues(request.raw.rawHeaders, 'content-type')
  if (types.length > 1)
    throw validationError({ field: 'Content-Type', message: 'must be given once' })
  if (!isJson(types[0] ?? ''))
    throw validationError({ field: 'Content-Type', message: 'must be application/json' })
}

/** Parses a body; returns undefined for an empty one. Throws VALIDATION_ERROR. */
function parseBody(request: FastifyRequest, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  checkType(request)
  if (bytes.length > SMALL_BYTES && nestsDeeper(bytes, MAX_DEPTH))
    throw validationError({ field: 'body', message: 'is nested too deeply' })
  try {
    const text = decoder.decode(bytes)
    const parsed: unknown = JSON.parse(text)
    // UTF-8 can't encode half of a surrogate pair, so the stored text would differ from the sent
    // one.
    if (surrogate.test(text) && loneSurrogate.test(JSON.stringify(parsed))) throw notJson()
    return parsed
  } catch {
    throw notJson()
  }
}

/**
 * Reads a complete body. A body that is too large is read to its end, up to a limit, and discarded,
 * because a client that is still sending sees the refusal only when it has finished.
 */
async function readBody(payload: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) throw notJson()
      size += chunk.length
      if (size <= BODY_LIMIT) chunks.push(chunk)
      else chunks.length = 0
      if (size > DRAIN_LIMIT) break
    }
  } catch (error) {
    // The client disconnected: it can't receive the refusal, and this isn't a defect of the
    // service.
    if (payload.destroyed) throw validationError({ field: 'body', message: "couldn't be read" })
    throw error
  }
  if (size > BODY_LIMIT)
    throw validationError({ field: 'body', message: `must be at most ${BODY_LIMIT} bytes` })
  return Buffer.concat(chunks)
}

/**
 * One parser for any content type: our own rule refuses bodies that aren't JSON, not the
 * framework's.
 */
export function registerBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) =>
    parseBody(request, await readBody(payload)),
  )
}
