/**
 * Compresses responses for clients that ask for it (Decision 43). A client that sends no
 * Accept-Encoding, such as the console on the same computer, costs only the look at that header.
 */
import { callbackify, promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Smaller responses fit into one packet either way. */
const MIN_BYTES = 1024

const compressible = /^(application\/json|text\/)/

type Encoding = 'br' | 'gzip'

/** The higher levels of Brotli take many times as long for a few percent. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const compressors: Readonly<Record<Encoding, (bytes: Buffer) => Promise<Buffer>>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, brotliOptions),
  gzip: promisify<Buffer, Buffer>(gzip),
}

/**
 * The encoding to use for an Accept-Encoding header: the accepted one with the highest weight, br
 * before gzip; null for none of them.
 */
export function encodingFor(accepted: string | undefined): Encoding | null {
  if (accepted === undefined) return null
  const weights = new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
      return [name, Number(weight)]
    }),
  )
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const best = weightOf('gzip') > weightOf('br') ? 'gzip' : 'br'
  return weightOf(best) > 0 ? best : null
}

/** The payload as bytes, if its response is worth compressing; otherwise null. */
function bytesOf(payload: unknown, reply: FastifyReply): Buffer | null {
  const isText = compressible.test(String(reply.getHeader('content-type') ?? ''))
  if (!isText || reply.hasHeader('content-encoding')) return null
  if (typeof payload === 'string') return payload.length < MIN_BYTES ? null : Buffer.from(payload)
  return payload instanceof Uint8Array && payload.length >= MIN_BYTES ? Buffer.from(payload) : null
}

async function encoded(accepted: string, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const bytes = bytesOf(payload, reply)
  if (bytes === null) return payload
  reply.header('vary', 'accept-encoding')
  const encoding = encodingFor(accepted)
  if (encoding === null) return payload
  reply.header('content-encoding', encoding).removeHeader('content-length')
  return await compressors[encoding](bytes)
}

/** Call this after every hook that reads the payload. */
export function registerCompression(app: FastifyInstance): void {
  const encode = callbackify(encoded)
  app.addHook('onSend', (request, reply, payload, done) => {
    const accepted = request.headers['accept-encoding']
    if (accepted === undefined) done(null, payload)
    else encode(accepted, reply, payload, done)
  })
}
