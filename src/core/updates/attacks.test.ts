import {
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { UpdateState } from '../../contract/app/updates.ts'
import {
  content,
  createUpdateWorld,
  day,
  fileName,
  fileOf,
  keys,
  platform,
  start,
} from './testing/update-world.ts'
import type { UpdateWorld } from './testing/update-world.ts'

let world: UpdateWorld
beforeEach(async () => {
  world = await createUpdateWorld()
})
afterEach(() => world.close())

const other = Buffer.from(content.map((byte) => byte ^ 1))
/** A manifest that an owner would never sign, but whose signature is right. */
const signedRaw = (w: UpdateWorld, change: Record<string, unknown>): void =>
  w.serveManifest(w.signText(JSON.stringify({ ...w.manifest(), ...change })))
const inFile = (w: UpdateWorld, change: Record<string, unknown>): void =>
  signedRaw(w, { files: [{ ...fileOf(content), ...change }] })
/** An answer that never ends. */
const endless: Parameters<UpdateWorld['answer']>[1] = (_request, response) => {
  const send = (): void => {
    while (response.write(Buffer.alloc(65_536, 'x')));
    response.once('drain', send)
  }
  send()
}
const breakOff =
  (bytes: Buffer): Parameters<UpdateWorld['answer']>[1] =>
  (_request, response) => {
    response.setHeader('content-length', bytes.length)
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
  }
const redirect =
  (location: string): Parameters<UpdateWorld['answer']>[1] =>
  (_request, response) =>
    void response.writeHead(302, { location }).end()
/** Lets the installation see a manifest first. */
async function seen(w: UpdateWorld, manifest: Parameters<UpdateWorld['manifest']>[0]) {
  w.serveManifest(w.sign(w.manifest(manifest)))
  expect((await w.create().check()).refusal).toBeNull()
}
const signedText = (w: UpdateWorld): string => w.sign(w.manifest())
const edited = (signed: string, from: string, to: string): string => signed.replaceAll(from, to)

type Outcome = UpdateState['refusal'] | 'failed' | 'current'
type Attack = [name: string, outcome: Outcome, prepare: (w: UpdateWorld) => void | Promise<void>]

const onSignatures: Attack[] = [
  [
    'a manifest without a signature',
    'not-a-manifest',
    (w) => w.serve('/manifest.json', JSON.stringify(w.manifest())),
  ],
  [
    'another key under a known name',
    'wrong-signature',
    (w) => w.serveManifest(w.sign(w.manifest(), keys.foreign)),
  ],
  [
    'a key that isn’t in the ring',
    'unknown-key',
    (w) => w.serveManifest(w.sign(w.manifest(), { ...keys.foreign, id: '2027-a' })),
  ],
  [
    'the name of an object’s property as the key',
    'unknown-key',
    (w) => w.serveManifest(w.sign(w.manifest(), { ...keys.foreign, id: '__proto__' })),
  ],
  [
    'one key’s signature under the other key’s name',
    'wrong-signature',
    (w) => w.serveManifest(w.sign(w.manifest(), { ...keys.first, id: keys.second.id })),
  ],
  [
    'a signature over different bytes',
    'wrong-signature',
    (w) => w.serveManifest(edited(signedText(w), '1.5.0', '1.6.0')),
  ],
  [
    'a signature that was made for something else',
    'wrong-signature',
    (w) => w.serveManifest(w.signText(JSON.stringify(w.manifest()), keys.first, '')),
  ],
  [
    'a signature of zeros',
    'wrong-signature',
    (w) =>
      w.serveManifest(
        JSON.stringify({ ...JSON.parse(signedText(w)), signature: `${'A'.repeat(86)}==` }),
      ),
  ],
  [
    'half a signature',
    'not-a-manifest',
    (w) =>
      w.serveManifest(JSON.stringify({ ...JSON.parse(signedText(w)), signature: 'A'.repeat(44) })),
  ],
  [
    'two manifests under the same key of the envelope',
    'not-a-manifest',
    (w) =>
      w.serveManifest(
        signedText(w)
          .replace(/}$/, ',"manifest":"{}"}')
          .replace(/"manifest":/, '"manifest":"{}","manifest":')
          .replace(',"manifest":"{}"}', '}'),
      ),
  ],
  [
    'two versions in a signed manifest',
    'not-a-manifest',
    (w) =>
      w.serveManifest(
        w.signText(
          JSON.stringify(w.manifest()).replace('"sequence"', '"version":"1.5.0","sequence"'),
        ),
      ),
  ],
  [
    'escapes that spell the same text',
    'not-a-manifest',
    (w) =>
      w.serveManifest(w.signText(JSON.stringify(w.manifest()).replace('keydesk', '\\u006beydesk'))),
  ],
  [
    'something after the manifest',
    'not-a-manifest',
    (w) => w.serveManifest(`${signedText(w)}\n{}`),
  ],
  ['a truncated manifest', 'not-a-manifest', (w) => w.serveManifest(signedText(w).slice(0, 300))],
  ['an empty manifest', 'not-a-manifest', (w) => w.serveManifest('')],
  [
    'a program in place of the manifest',
    'not-a-manifest',
    (w) => w.serve('/manifest.json', content),
  ],
  [
    'a compressed manifest, which could be a bomb',
    'not-a-manifest',
    (w) =>
      w.answer(
        '/manifest.json',
        (_request, response) =>
          void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(signedText(w))),
      ),
  ],
  [
    'a manifest of another product',
    'other-product',
    (w) => w.serveManifest(w.sign(w.manifest({ product: 'keydesk-beta' }))),
  ],
  [
    'a field that this version doesn’t know',
    'not-a-manifest',
    (w) => signedRaw(w, { force: true }),
  ],
]

const onTime: Attack[] = [
  [
    'an expired manifest',
    'expired',
    (w) =>
      w.serveManifest(w.sign(w.manifest({ released: start - 60 * day, expires: start - day }))),
  ],
  [
    'a manifest that is valid for years',
    'not-a-manifest',
    (w) => signedRaw(w, { expires: start + 2000 * day }),
  ],
  [
    'a manifest that expires before its release',
    'not-a-manifest',
    (w) => signedRaw(w, { released: start + 2, expires: start + 1 }),
  ],
  [
    'a manifest from the future',
    'from-the-future',
    (w) => w.serveManifest(w.sign(w.manifest({ released: start + 3 * day }))),
  ],
  [
    'an earlier manifest again',
    'replayed',
    async (w) => {
      await seen(w, { sequence: 9, rollout: 0 })
      w.serveManifest(w.sign(w.manifest({ sequence: 8 })))
    },
  ],
  [
    'another manifest with the same number',
    'replayed',
    async (w) => {
      await seen(w, { sequence: 9, rollout: 0 })
      w.serveManifest(w.sign(w.manifest({ sequence: 9 })))
    },
  ],
  [
    'an earlier manifest after a restart',
    'replayed',
    async (w) => {
      await seen(w, { sequence: 9, rollout: 0 })
      w.serveManifest(w.sign(w.manifest({ sequence: 1 })))
      await w.create().check()
    },
  ],
  [
    'an expired manifest while the clock is set back',
    'expired',
    async (w) => {
      await seen(w, { sequence: 9, rollout: 0, released: start })
      w.clock.setBy(-10 * day)
      w.serveManifest(
        w.sign(w.manifest({ sequence: 10, released: start - 20 * day, expires: start - 5 * day })),
      )
    },
  ],
  [
    'any manifest while the clock is set back to before its release',
    'from-the-future',
    (w) => w.clock.setBy(-30 * day),
  ],
]

const onVersions: Attack[] = [
  [
    'an older version under a new number',
    'older-version',
    (w) => w.serveManifest(w.sign(w.manifest({ version: '1.4.1', sequence: 99 }))),
  ],
  [
    'a version below the floor',
    'below-floor',
    (w) => w.serveManifest(w.sign(w.manifest({ floor: '1.6.0' }))),
  ],
  [
    'a lowered floor',
    'floor-lowered',
    async (w) => {
      await seen(w, { sequence: 9, floor: '1.4.9', rollout: 0 })
      w.serveManifest(w.sign(w.manifest({ sequence: 10, floor: '1.4.0' })))
    },
  ],
  [
    'the version that is running',
    'current',
    (w) => w.serveManifest(w.sign(w.manifest({ version: '1.4.2' }))),
  ],
  ['a version in other digits', 'not-a-manifest', (w) => signedRaw(w, { version: '１.５.０' })],
  ['a version with leading zeros', 'not-a-manifest', (w) => signedRaw(w, { version: '1.05.0' })],
  [
    'a version with a hidden character',
    'not-a-manifest',
    (w) => signedRaw(w, { version: '1.5.0\u200b' }),
  ],
  [
    'a version that no comparison can hold',
    'not-a-manifest',
    (w) => signedRaw(w, { version: '1.5.99999999999999999999' }),
  ],
  ['a roll-out above 100 %', 'not-a-manifest', (w) => signedRaw(w, { rollout: 101 })],
  ['a roll-out below 0 %', 'not-a-manifest', (w) => signedRaw(w, { rollout: -1 })],
  ['a roll-out as text', 'not-a-manifest', (w) => signedRaw(w, { rollout: '100' })],
  [
    'a version before its roll-out',
    'current',
    (w) => w.serveManifest(w.sign(w.manifest({ rollout: 0 }))),
  ],
  ['a negative number', 'not-a-manifest', (w) => signedRaw(w, { sequence: -1 })],
  ['a number beyond exact integers', 'not-a-manifest', (w) => signedRaw(w, { sequence: 2 ** 60 })],
  [
    'notes that reorder their text',
    'not-a-manifest',
    (w) => signedRaw(w, { changes: ['Safe\u202etxt.exe'] }),
  ],
]

const onFiles: Attack[] = [
  ['a negative size', 'not-a-manifest', (w) => inFile(w, { bytes: -1 })],
  ['a size of zero', 'not-a-manifest', (w) => inFile(w, { bytes: 0 })],
  ['a fractional size', 'not-a-manifest', (w) => inFile(w, { bytes: 1.5 })],
  ['a size that fills the disk', 'not-a-manifest', (w) => inFile(w, { bytes: 600_000_000 })],
  ['a name that leaves the folder', 'not-a-manifest', (w) => inFile(w, { name: '../../.profile' })],
  ['an absolute name', 'not-a-manifest', (w) => inFile(w, { name: '/etc/cron.d/x' })],
  ['a name with a backslash', 'not-a-manifest', (w) => inFile(w, { name: '..\\x.exe' })],
  ['a hidden name', 'not-a-manifest', (w) => inFile(w, { name: '.bashrc' })],
  ['an address as a name', 'not-a-manifest', (w) => inFile(w, { name: 'http:evil.example' })],
  ['a short hash', 'not-a-manifest', (w) => inFile(w, { sha512: 'ab' })],
  [
    'two files for one system',
    'not-a-manifest',
    (w) => signedRaw(w, { files: [fileOf(content), fileOf(other, 'b.deb')] }),
  ],
  [
    'two names that differ in their case',
    'not-a-manifest',
    (w) =>
      signedRaw(w, {
        files: [fileOf(content), fileOf(other, fileName.toUpperCase(), { platform: 'x' })],
      }),
  ],
  [
    'only a file for another system',
    'current',
    (w) =>
      w.serveManifest(
        w.sign(w.manifest({ files: [fileOf(content, 'a.exe', { platform: 'win32-x64' })] })),
      ),
  ],
  ['a swapped file of the same size', 'wrong-file', (w) => w.serveFile(other)],
  ['the file of another version', 'wrong-size', (w) => w.serveFile(Buffer.from('the old version'))],
  [
    'the file of another system',
    'wrong-file',
    (w) => {
      w.serveManifest(
        w.sign(
          w.manifest({
            files: [fileOf(content), fileOf(other, 'x.deb', { platform: 'linux-arm64-deb' })],
          }),
        ),
      )
      w.serveFile(other)
    },
  ],
  ['a truncated file', 'wrong-size', (w) => w.serveFile(content.subarray(0, 19_999))],
  [
    'an extended file',
    'too-large',
    (w) =>
      w.answer(`/${fileName}`, (_request, response) => {
        response.write(content)
        response.end('x')
      }),
  ],
  ['an endless file', 'too-large', (w) => w.answer(`/${fileName}`, endless)],
  ['a file that is cut off', 'cut-off', (w) => w.answer(`/${fileName}`, breakOff(content))],
]

const onConnections: Attack[] = [
  [
    'an oversized manifest',
    'too-large',
    (w) =>
      w.answer('/manifest.json', (_request, response) => {
        response.write(signedText(w))
        response.end(' '.repeat(300_000))
      }),
  ],
  [
    'a manifest that is announced as oversized',
    'too-large',
    (w) => w.serveManifest(' '.repeat(300_000)),
  ],
  ['an endless manifest', 'too-large', (w) => w.answer('/manifest.json', endless)],
  [
    'a manifest that is cut off',
    'cut-off',
    (w) => w.answer('/manifest.json', breakOff(Buffer.from(signedText(w)))),
  ],
  [
    'a redirect of the manifest to another host',
    'redirected',
    (w) => w.answer('/manifest.json', redirect('https://updates.example/manifest.json')),
  ],
  [
    'a redirect of the manifest to this computer',
    'redirected',
    (w) => {
      w.serve('/else', signedText(w))
      w.answer('/manifest.json', redirect(`${w.origin}/else`))
    },
  ],
  [
    'a redirect of the file',
    'redirected',
    (w) => {
      w.serve('/else', content)
      w.answer(`/${fileName}`, redirect('/else'))
    },
  ],
  [
    'a server error with a manifest as its text',
    'failed',
    (w) =>
      w.answer(
        '/manifest.json',
        (_request, response) => void response.writeHead(500).end(signedText(w)),
      ),
  ],
]

describe('a malicious update server', () => {
  it.each([...onSignatures, ...onTime, ...onVersions, ...onFiles, ...onConnections])(
    'can’t use %s',
    async (_name, outcome, prepare) => {
      await prepare(world)
      const state = await world.update()
      const isStatus = outcome === 'failed' || outcome === 'current'
      expect([state.status, state.refusal]).toEqual(
        isStatus ? [outcome, null] : ['refused', outcome],
      )
      expect(world.applied).toBeNull()
      expect(world.restarts).toBe(0)
    },
  )

  it('can’t use a swapped file where a person installs it: no command is shown', async () => {
    world.serveFile(other)
    const { status, refusal, command } = await world.update(world.create(undefined, false))
    expect([status, refusal, command]).toEqual(['refused', 'wrong-file', null])
  })

  it('can’t announce more than the update contains and then send nothing', async () => {
    world.answer(`/${fileName}`, (_request, response) => {
      response.setHeader('content-length', content.length + 1)
      response.flushHeaders()
    })
    expect((await world.update()).refusal).toBe('too-large')
  })

  it('can’t use an unencrypted address on another computer', async () => {
    const state = await world.update(world.create('http://192.0.2.1/manifest.json'))
    expect([state.status, state.refusal]).toEqual(['refused', 'not-encrypted'])
  })
})

describe('a program on this computer', () => {
  const after = async (act: () => void) => {
    const { status, refusal } = await world.update(world.create(), act)
    return [status, refusal, world.applied]
  }
  const refused = ['refused', 'wrong-file', null]

  it('can’t replace the folder for downloads with a link', async () => {
    const elsewhere = join(world.folder, 'elsewhere')
    mkdirSync(elsewhere)
    symlinkSync(elsewhere, join(world.folder, 'updates'))
    const state = await world.update()
    expect([state.status, state.refusal, world.applied]).toEqual(['refused', 'unsafe-folder', null])
  })

  it('can’t lead the download through a link to another file', async () => {
    const victim = join(world.folder, 'victim')
    writeFileSync(victim, 'precious')
    mkdirSync(join(world.folder, 'updates'))
    symlinkSync(victim, world.path)
    symlinkSync(victim, `${world.path}.part`)
    await world.update()
    expect(readFileSync(victim, 'utf8')).toBe('precious')
    expect(world.applied).toBe(content.toString())
  })

  it('can’t swap the file after it was verified', async () => {
    expect(await after(() => writeFileSync(world.path, other))).toEqual(refused)
  })

  it('can’t put a link to a file in its place, even one of the same content', async () => {
    const replace = (): void => {
      writeFileSync(join(world.folder, 'same'), content)
      rmSync(world.path)
      symlinkSync(join(world.folder, 'same'), world.path)
    }
    expect(await after(replace)).toEqual(refused)
  })

  it('can’t keep another name for the file, to change it later', async () => {
    const keep = (): void => linkSync(world.path, join(world.folder, 'same'))
    expect(await after(keep)).toEqual(refused)
  })

  it.skipIf(process.getuid?.() !== 0)(
    'can’t own the folder as another user (only as root, who can create one)',
    async () => {
      mkdirSync(join(world.folder, 'updates'))
      chownSync(join(world.folder, 'updates'), 65_534, 65_534)
      expect((await world.update()).refusal).toBe('unsafe-folder')
    },
  )
})

it('counts at least fifty attacks', () => {
  const all = [onSignatures, onTime, onVersions, onFiles, onConnections].flat()
  expect(new Set(all.map(([name]) => name)).size).toBe(all.length)
  expect(all.length).toBeGreaterThanOrEqual(50)
  expect(platform).toBe('linux-amd64-deb')
})
