import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Place } from '../../platform/deep-link.ts'
import type { OpenFile } from '../opener.ts'
import { CONTROL_SOCKET, ForeignFolder, askRunning, listenForStarts } from './control-socket.ts'

const otherUser = 65_534
const addressFile = '/tmp/keydesk-open-x/open-keydesk.html'
let dataDir = ''
let places: (Place | null)[] = []
let opened: boolean[] = []
let quits = 0
const listening: { close(): void }[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'keydesk-control-'))
  places = []
  opened = []
  quits = 0
})
afterEach(() => {
  for (const each of listening.splice(0)) each.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function listen(folder = dataDir): Promise<void> {
  const started = await listenForStarts(folder, {
    async open(place, open) {
      places.push(place)
      opened.push(await open(addressFile))
      return true
    },
    quit: () => void (quits += 1),
  })
  if (started === null) throw new Error('It does not listen.')
  listening.push(started)
}

const socketPath = (): string => join(dataDir, CONTROL_SOCKET)
const ask = (link: string | null, folder = dataDir, open: OpenFile = async () => true) =>
  askRunning(folder, { ask: 'open', link }, open)

/** Sends bytes as they are, and waits until the other side closes the connection. */
const sendRaw = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = createConnection(socketPath())
    let answer = ''
    socket.on('data', (part) => void (answer += String(part)))
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
    socket.write(text)
  })

describe.skipIf(process.platform === 'win32')('the socket for second starts', () => {
  it('is private, and gives a second start the file with the address', async () => {
    await listen()
    expect(lstatSync(socketPath()).mode & 0o777).toBe(0o600)
    const files: string[] = []
    const open = async (file: string): Promise<boolean> => files.push(file) > 0
    expect(await ask('keydesk://open/offers/off_1', dataDir, open)).toBe(true)
    expect(files).toEqual([addressFile])
    expect(places).toEqual([{ path: '/offers/off_1', accountId: null }])
    expect(opened).toEqual([true])
  })

  it('reports a window that couldn’t be opened, so that its address is withdrawn', async () => {
    await listen()
    await ask(null, dataDir, async () => false)
    expect(opened).toEqual([false])
  })

  it.each(['keydesk://open/orders/new', 'https://example.com', 'keydesk://open/../x', ''])(
    'opens a window without a page for the link %j',
    async (link) => {
      await listen()
      expect(await ask(link)).toBe(true)
      expect(places).toEqual([null])
    },
  )

  it('asks it to quit', async () => {
    await listen()
    const asked = askRunning(dataDir, { ask: 'quit' }, async () => false)
    await expect.poll(() => quits).toBe(1)
    listening.splice(0).forEach((each) => each.close())
    await asked
    expect(places).toEqual([])
  })

  it('finds none without a folder, without a socket, and behind a socket that a kill left', async () => {
    expect(await ask(null, join(dataDir, 'missing'))).toBe(false)
    expect(await ask(null)).toBe(false)
    const killed = createServer()
    await new Promise<void>((resolve) => killed.listen(socketPath(), resolve))
    const leave = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 9))`
    await new Promise((resolve) => killed.close(resolve))
    spawnSync(process.execPath, ['-e', leave, socketPath()])
    chmodSync(socketPath(), 0o600)
    expect(await ask(null)).toBe(false)
    await listen()
    expect(await ask(null)).toBe(true)
  })

  it.runIf(process.platform === 'linux')(
    'works below a path longer than a socket’s name',
    async () => {
      const deep = join(dataDir, 'd'.repeat(200))
      mkdirSync(deep, { mode: 0o700 })
      await listen(deep)
      expect(await ask(null, deep)).toBe(true)
    },
  )

  it.each([
    '\n',
    'null\n',
    '{"ask":"buy"}\n',
    '{"ask":"open"}\n',
    '{"ask":"open","link":7}\n',
    `{"ask":"open","link":"${'x'.repeat(401)}"}\n`,
    'x'.repeat(5000),
  ])('answers nothing to %j and stays up', async (text) => {
    await listen()
    expect(await sendRaw(text)).toBe('')
    expect(places).toEqual([])
    expect(await ask(null)).toBe(true)
  })

  it('doesn’t use a folder that others can reach, or a file and an open socket in place of its own', async () => {
    await listen()
    chmodSync(socketPath(), 0o666)
    await expect(ask(null)).rejects.toThrow(ForeignFolder)
    rmSync(socketPath())
    writeFileSync(socketPath(), '')
    await expect(ask(null)).rejects.toThrow(ForeignFolder)
    chmodSync(dataDir, 0o755)
    expect(await ask(null)).toBe(false)
  })
})

describe.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'another user of this computer (only as root, who can start a process as that user)',
  () => {
    it('refuses their folder', async () => {
      await listen()
      chownSync(dataDir, otherUser, otherUser)
      await expect(ask(null)).rejects.toThrow('belongs to another user')
    })

    it('refuses a socket that they put into a folder of ours', async () => {
      await listen()
      chownSync(socketPath(), otherUser, otherUser)
      await expect(ask(null)).rejects.toThrow(ForeignFolder)
    })

    it('can’t connect, even when the folder is open to them', async () => {
      await listen()
      chmodSync(dataDir, 0o755)
      const node = join(mkdtempSync(join(tmpdir(), 'keydesk-node-')), 'node')
      copyFileSync(process.execPath, node)
      chmodSync(join(node, '..'), 0o755)
      chmodSync(node, 0o755)
      const program = `require('net').createConnection(process.argv[1])
        .on('error', (error) => console.log(error.code))
        .on('connect', () => console.log('connected'))`
      const asOther = { uid: otherUser, gid: otherUser, cwd: '/', env: {} }
      const { stdout } = spawnSync(node, ['-e', program, socketPath()], asOther)
      rmSync(join(node, '..'), { recursive: true })
      expect(stdout.toString().trim()).toBe('EACCES')
    })
  },
)
