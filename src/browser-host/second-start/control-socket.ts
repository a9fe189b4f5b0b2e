import { chmodSync, closeSync, constants, fstatSync, lstatSync, openSync, rmSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import { placeOfLink } from '../../platform/deep-link.ts'
import type { Place } from '../../platform/deep-link.ts'
import type { OpenFile } from '../opener.ts'

/*
 * How a second start reaches the running Keydesk: a Unix socket with mode 0600 in the data folder,
 * which is private. A line of JSON in each direction: the request, the file to open (which contains
 * the one-time address, see open-address.ts), and whether it was opened.
 */

/** The name of the socket in the data folder. */
export const CONTROL_SOCKET = 'console.sock'
/** The longest line, in bytes. */
const maxLineBytes = 2048
/** How long either side waits for the other, in milliseconds. */
const patienceMs = 10_000

/** A request of a second start. A link is validated by the one that opens it. */
const requestSchema = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('open'), link: z.string().max(400).nullable() }),
  z.object({ ask: z.literal('quit') }),
])
type Request = z.infer<typeof requestSchema>
const fileSchema = z.object({ file: z.string().min(1) })
const openedSchema = z.object({ opened: z.boolean() })

/** The data folder belongs to another user, or its socket isn't this user's alone. */
export class ForeignFolder extends Error {}

type Folder = { socket: string; close(): void }

/**
 * Opens the data folder for its socket. Throws {@link ForeignFolder} if it belongs to another user.
 * On Linux the path leads through the opened folder: the checked folder is the one used, and its
 * length has no limit. Null if there is no such folder or it isn't private: a running Keydesk makes
 * its folder private.
 */
function openFolder(dataDir: string): Folder | null {
  let descriptor: number
  try {
    descriptor = openSync(dataDir, constants.O_RDONLY | constants.O_DIRECTORY)
  } catch {
    return null
  }
  const { uid, mode } = fstatSync(descriptor)
  const isOwn = uid === process.getuid?.()
  if (!isOwn || (mode & 0o077) !== 0) {
    closeSync(descriptor)
    if (isOwn) return null
    throw new ForeignFolder(
      `The data folder ${dataDir} belongs to another user. Use a folder of your own.`,
    )
  }
  return {
    socket:
      process.platform === 'linux'
        ? `/proc/self/fd/${descriptor}/${CONTROL_SOCKET}`
        : join(dataDir, CONTROL_SOCKET),
    close: () => closeSync(descriptor),
  }
}

/** The next line of a connection; null when it ends, breaks, or sends too much. */
function createLines(socket: Socket): () => Promise<string | null> {
  let text = ''
  let done = false
  let wake = (): void => {}
  const end = (): void => {
    done = true
    wake()
  }
  socket.setEncoding('utf8')
  socket.setTimeout(patienceMs, () => socket.destroy())
  socket.on('data', (part) => {
    text += String(part)
    if (text.length > maxLineBytes) socket.destroy()
    wake()
  })
  socket.on('error', end).on('end', end).on('close', end)
  return async () => {
    for (;;) {
      const at = text.indexOf('\n')
      if (at >= 0) {
        const line = text.slice(0, at)
        text = text.slice(at + 1)
        return line
      }
      if (done) return null
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
}

const write = (socket: Socket, message: unknown): void =>
  void socket.write(`${JSON.stringify(message)}\n`)

function parse<Message>(schema: z.ZodType<Message>, line: string | null): Message | null {
  try {
    return line === null ? null : schema.parse(JSON.parse(line))
  } catch {
    return null
  }
}

/**
 * Listens for later starts on this data folder, which this process must have locked. Returns how to
 * stop; null where there are no such sockets.
 */
export async function listenForStarts(
  dataDir: string,
  actions: { open(place: Place | null, open: OpenFile): Promise<boolean>; quit(): void },
): Promise<{ close(): void } | null> {
  if (process.platform === 'win32') return null
  const folder = openFolder(dataDir)
  if (folder === null) return null

  async function serve(socket: Socket): Promise<void> {
    const nextLine = createLines(socket)
    const request = parse(requestSchema, await nextLine())
    if (request?.ask === 'open') {
      const place = request.link === null ? null : placeOfLink(request.link)
      await actions.open(place, async (file) => {
        write(socket, { file })
        return parse(openedSchema, await nextLine())?.opened === true
      })
    }
    if (request?.ask === 'quit') {
      write(socket, { file: dataDir })
      // The connection ends with this process, so that the second start can wait for it.
      return actions.quit()
    }
    socket.end()
  }

  const connections = new Set<Socket>()
  const server = createServer((socket) => {
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
    void serve(socket).catch(() => socket.destroy())
  })
  // What a killed Keydesk left behind; the lock says that it isn't running.
  rmSync(folder.socket, { force: true })
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(folder.socket, () => resolve(true))
  })
  if (!listens) {
    folder.close()
    return null
  }
  chmodSync(folder.socket, 0o600)
  return {
    close() {
      server.close()
      for (const socket of connections) socket.destroy()
      rmSync(folder.socket, { force: true })
      folder.close()
    },
  }
}

/**
 * Asks the Keydesk that uses the data folder to open a window, or to quit. False if none answers.
 * Throws {@link ForeignFolder}.
 */
export async function askRunning(
  dataDir: string,
  request: Request,
  open: OpenFile,
): Promise<boolean> {
  if (process.platform === 'win32') return false
  const folder = openFolder(dataDir)
  if (folder === null) return false
  try {
    const found = lstatSync(folder.socket, { throwIfNoEntry: false })
    if (found === undefined) return false
    if (!found.isSocket() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
      throw new ForeignFolder(
        `${join(dataDir, CONTROL_SOCKET)} isn’t a socket of this user alone. Delete it.`,
      )
    const socket = createConnection(folder.socket)
    const nextLine = createLines(socket)
    write(socket, request)
    const answer = parse(fileSchema, await nextLine())
    if (answer === null) return false
    if (request.ask === 'open') write(socket, { opened: await open(answer.file) })
    await nextLine()
    socket.destroy()
    return true
  } finally {
    folder.close()
  }
}
