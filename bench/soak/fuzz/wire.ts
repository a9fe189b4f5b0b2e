/**
 * Requests as raw bytes, including some that no HTTP library would send, and responses parsed
 * strictly from raw bytes.
 */
import { connect } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import type { Answer } from './contract.ts'

/** Bytes, a pause in milliseconds, or the way the client closes: with FIN, or with a reset. */
export type Part = string | Buffer | number | { leave: 'end' | 'reset' }

/** `missing`: bytes that the last response announced and that haven't arrived. */
export type Heard = { answers: Answer[]; problem: string | null; missing: number }

/** How long the client waits for a response; shorter where none is required. */
const PATIENCE_MS = 30_000
const CURIOSITY_MS = 250

const bodiless = (status: number): boolean => status === 204 || status === 304

/** Parses the responses in these bytes; a remainder that isn't a response is a problem. */
function read(bytes: Buffer, head: boolean): Heard {
  const answers: Answer[] = []
  let rest = bytes
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest
      .subarray(0, Math.max(end, 0))
      .toString('latin1')
      .split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) [ -~]+$/.exec(first)?.[1] ?? Number.NaN)
    if (end < 0 || Number.isNaN(status))
      return {
        answers,
        problem: `not a response: ${rest.subarray(0, 80).toString('latin1')}`,
        missing: 0,
      }
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    )
    rest = rest.subarray(end + 4)
    if (status < 200) continue
    const length = head || bodiless(status) ? 0 : Number(headers['content-length'])
    if (!(length <= rest.length))
      return {
        answers,
        missing: length - rest.length,
        problem: `${status} announces ${headers['content-length'] ?? 'no length'}, but ${rest.length} bytes arrived`,
      }
    answers.push({ status, headers, body: rest.subarray(0, length).toString('utf8') })
    rest = rest.subarray(length)
  }
  return { answers, problem: null, missing: 0 }
}

/**
 * Sends the parts and collects the responses until the service closes, or until there are `wanted`
 * responses.
 */
export async function speak(
  origin: string,
  parts: readonly Part[],
  { wanted, head = false }: { wanted: number; head?: boolean },
): Promise<Heard> {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const chunks: Buffer[] = []
  const closed = Promise.withResolvers<void>()
  let toCome = 0
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    toCome -= chunk.length
    if (wanted === 0 || toCome > 0) return
    const { answers, missing } = read(Buffer.concat(chunks), head)
    toCome = missing
    if (answers.length >= wanted) socket.destroy()
  })
  socket
    .on('error', () => {
      closed.resolve()
    })
    .on('end', () => {
      socket.destroy()
    })
    .on('close', () => {
      closed.resolve()
    })
  for (const part of parts) {
    if (socket.destroyed) break
    if (typeof part === 'number') await after(part)
    else if (typeof part === 'string' || Buffer.isBuffer(part))
      await new Promise<void>((resolve) => {
        socket.write(part, () => {
          resolve()
        })
      })
    else if (part.leave === 'end') socket.end()
    else socket.resetAndDestroy()
  }
  const impatient = setTimeout(
    () => {
      socket.destroy()
    },
    wanted > 0 ? PATIENCE_MS : CURIOSITY_MS,
  )
  await closed.promise
  clearTimeout(impatient)
  socket.destroy()
  return read(Buffer.concat(chunks), head)
}
