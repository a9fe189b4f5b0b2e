/**
 * One keep-alive connection for a load generator, on a plain socket that uses little CPU time of
 * the machine it shares with the server under test.
 */
import { connect } from 'node:net'

const headEnd = '\r\n\r\n'

export type Connection = {
  /**
   * Sends a request as raw bytes and returns the complete response. Throws unless the response is a
   * success.
   */
  ask(request: string): Promise<Buffer>
  close(): void
}

/**
 * Length in bytes of the first response in the buffer, if known; 0 while its head is incomplete.
 */
function bytesOf(buffer: Buffer): number {
  const end = buffer.indexOf(headEnd)
  if (end < 0) return 0
  const head = buffer.toString('latin1', 0, end)
  if (!head.startsWith('HTTP/1.1 2')) throw new Error(`answered ${buffer.toString('utf8', 0, 600)}`)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return end + headEnd.length + Number(length)
  const last = buffer.indexOf('\r\n0\r\n\r\n', end)
  return last < 0 ? 0 : last + 7
}

/** The body of a response with a Content-Length, as text. */
export const bodyOf = (answer: Buffer): string =>
  answer.toString('utf8', answer.indexOf(headEnd) + headEnd.length)

export function openConnection(port: number): Connection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let parts: Buffer[] = []
  let size = 0
  let needed = 0
  let waiting: { resolve: (answer: Buffer) => void; reject: (reason: unknown) => void } | null =
    null
  const fail = (reason: unknown): void => waiting?.reject(reason)
  socket.on('error', fail).on('close', () => fail(new Error('the connection was closed')))
  socket.on('data', (part) => {
    parts.push(part)
    size += part.length
    if (size < needed) return
    const whole = parts.length === 1 ? part : Buffer.concat(parts)
    parts = [whole]
    try {
      needed = bytesOf(whole)
    } catch (error) {
      fail(error)
      return
    }
    if (needed === 0 || size < needed) return
    parts = []
    size = 0
    needed = 0
    waiting?.resolve(whole)
  })
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close() {
      waiting = null
      socket.destroy()
    },
  }
}
