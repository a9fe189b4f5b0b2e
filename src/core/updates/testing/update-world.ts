import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Busy, UpdateState } from '../../../contract/app/updates.ts'
import { createScope } from '../../lifecycle/lifecycle.ts'
import { temporaryFolder } from '../../testing/context.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { systemRandomness } from '../../randomness.ts'
import { signManifest } from '../manifest.ts'
import type { UpdateFile, UpdateManifest } from '../manifest.ts'
import { createUpdates } from '../updates.ts'
import type { Updates } from '../updates.ts'

export const day = 86_400_000
export const start = Date.UTC(2026, 10, 20)
export const platform = 'linux-amd64-deb'
export const content = Buffer.alloc(20_000, 'the new version ')
export const fileName = 'keydesk_1.5.0_amd64.deb'
const sha512 = (bytes: Buffer): string => createHash('sha512').update(bytes).digest('hex')
/** The entry of a file in a manifest. */
export const fileOf = (
  bytes: Buffer,
  name = fileName,
  of: Partial<UpdateFile> = {},
): UpdateFile => ({ platform, name, bytes: bytes.length, sha512: sha512(bytes), ...of })

const idle: Busy = { uploads: 0, changes: 0, orders: 0, first: null, leftMs: null }
type Key = { id: string; privateKey: KeyObject; publicKey: string }
function newKey(id: string): Key {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { id, privateKey, publicKey: publicKey.export({ format: 'jwk' }).x ?? '' }
}
export const keys = { first: newKey('2026-a'), second: newKey('2026-b'), foreign: newKey('2026-a') }

/** Keydesk 1.4.2 and a server for its updates, which an attacker controls. */
export async function createUpdateWorld() {
  const folder = temporaryFolder()
  const clock = manualClock(start)
  const scope = createScope({ clock, report: () => {} })
  const stored = new Map<string, string>()
  const answers = new Map<string, RequestListener>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    const answer = answers.get(request.url ?? '')
    if (answer === undefined) return void response.writeHead(404).end()
    answer(request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const world = {
    folder: folder.path,
    path: join(folder.path, 'updates', fileName),
    clock,
    origin,
    requests,
    stored,
    busy: idle,
    /** The content of the file that was applied; null while none was. */
    applied: null as string | null,
    restarts: 0,
    installed: null as string | null,
    create(address: string | null = `${origin}/manifest.json`, canApply = true): Updates {
      return createUpdates(
        {
          context: {
            clock,
            random: systemRandomness,
            changes: { notify: () => {}, listen: () => (async function* () {})() },
            activity: { add: () => {} },
            host: { dataDir: folder.path, version: '1.4.2' },
          },
          settings: {
            recall: (name) => stored.get(name) ?? null,
            remember: (name, value) => void stored.set(name, value),
          },
          updates: {
            source: { address, keys: [keys.first, keys.second] },
            platform,
            installed: () => world.installed,
            ...(canApply
              ? { apply: (path: string) => void (world.applied = readFileSync(path, 'utf8')) }
              : {
                  command: (path: string) => ({
                    line: `install ${path}`,
                    steps: 'keep-running' as const,
                  }),
                }),
            restart: () => void (world.restarts += 1),
          },
        },
        scope,
        () => world.busy,
      )
    },
    /** A manifest for this world, with some fields replaced. */
    manifest: (other: Partial<UpdateManifest> = {}): UpdateManifest => ({
      product: 'keydesk',
      version: '1.5.0',
      sequence: 8,
      released: start - day,
      expires: start + 30 * day,
      floor: '1.4.0',
      rollout: 100,
      changes: ['Replies can be undone.'],
      files: [fileOf(content)],
      ...other,
    }),
    sign: (manifest: UpdateManifest, key = keys.first): string =>
      signManifest(manifest, key.id, key.privateKey),
    /** Signs a text as the owner would, even if it isn't a valid manifest. */
    signText: (text: string, key = keys.first, signedFor = 'keydesk-update-manifest-1\n'): string =>
      JSON.stringify({
        keyId: key.id,
        signature: sign(null, Buffer.from(signedFor + text), key.privateKey).toString('base64'),
        manifest: text,
      }),
    answer: (path: string, listener: RequestListener): void => void answers.set(path, listener),
    serve: (path: string, bytes: string | Buffer): void =>
      void answers.set(path, (_request, response) => response.end(bytes)),
    serveManifest: (signed: string): void => world.serve('/manifest.json', signed),
    serveFile: (bytes: Buffer): void => world.serve(`/${fileName}`, bytes),
    /** Does everything that a person can: checks, downloads, and restarts. */
    async update(
      updates: Updates = world.create(),
      beforeRestart: () => void = () => {},
    ): Promise<UpdateState> {
      let state = await updates.check()
      if (state.status === 'available') state = await updates.download()
      if (state.status !== 'ready') return state
      beforeRestart()
      return updates.restart('now')
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await scope.end()
      folder.remove()
    },
  }
  world.serveManifest(world.sign(world.manifest()))
  world.serveFile(content)
  return world
}
export type UpdateWorld = Awaited<ReturnType<typeof createUpdateWorld>>
