import { NetworkError } from '../../../server/api/client-errors.ts'
import type { Transport } from '../../../server/api/client.ts'

/** How long an answer may take, in milliseconds. */
export const answerWithinMs = 30_000
/** An order that waits for its delivery (`wait`, up to 25 s) has this long. */
export const orderWithinMs = 40_000

/** Failures while connecting: no byte of the request left. */
const connecting: ReadonlySet<string> = new Set([
  'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'ERR_TLS_CERT_ALTNAME_INVALID',
])

type SystemError = { code?: unknown; syscall?: unknown; cause?: unknown; errors?: unknown }
const facts = (error: unknown): SystemError => (typeof error === 'object' && error !== null ? error : {})

/** The system's code of a failure, from as deep as it lies: `ECONNREFUSED`, `ENOTFOUND`. */
function codeOf(error: unknown): { code: string; syscall: string } | null {
  const { code, syscall, cause, errors } = facts(error)
  if (typeof code === 'string') return { code, syscall: typeof syscall === 'string' ? syscall : '' }
  const inner = Array.isArray(errors) ? errors.map(codeOf).find((found) => found !== null) : undefined
  return inner ?? (cause === undefined ? null : codeOf(cause))
}

/** Sends by `fetch` over kept connections. A redirect is an answer like any other: the key never follows one elsewhere. */
export const fetchTransport: Transport<AbortSignal> = async ({ method, url, headers, body, signal }) => {
  try {
    const response = await fetch(url, { method, headers, body, redirect: 'manual', ...(signal !== undefined && { signal }) })
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() }
  } catch (error) {
    const found = codeOf(error)
    // Ports that `fetch` never connects to, such as 1 or 6000, have no code of the system.
    const blocked = error instanceof TypeError && error.cause instanceof Error && error.cause.message === 'bad port'
    const certainlyNotSent = blocked || (found !== null && (connecting.has(found.code) || found.syscall === 'connect' || found.syscall === 'getaddrinfo'))
    throw new NetworkError(found?.code ?? 'no answer', !certainlyNotSent, { cause: error })
  }
}
