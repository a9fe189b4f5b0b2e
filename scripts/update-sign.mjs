import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { signManifest } from '../src/core/updates/manifest.ts'
import { changesOf } from './lib/changelog-changes.mjs'
import { root } from './lib/paths.mjs'
import { PlainFailure, runCommand } from './lib/plain-failure.mjs'

/*
 * The owner's tool for signed updates (docs/decisions/0068). The private key
 * stays in a file or in KEYDESK_UPDATE_KEY, and never in the repository or on a command line.
 */
const help = `npm run update:sign -- --new-key FILE
  Creates a private key and prints the public one, for resources/update-source.json.

npm run update:sign -- --key-id ID --sequence N --floor VERSION --out FILE PLATFORM=FILE…
  Signs a manifest of the version in package.json with its entries in CHANGELOG.md.
  docs/releasing.md lists the names of the platforms.
  --key FILE       the private key (default: its text in KEYDESK_UPDATE_KEY)
  --rollout N      percent of installations that are offered it (default: 100)
  --days N         how long the manifest is valid (default: 30, at most 90)
`
const day = 86_400_000

/** @param {string} path */
function createKey(path) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
    flag: 'wx',
  })
  console.log(publicKey.export({ format: 'jwk' }).x)
}

/** @param {string | undefined} file */
function privateKey(file) {
  const text = file === undefined ? process.env['KEYDESK_UPDATE_KEY'] : readFileSync(file, 'utf8')
  if (text === undefined)
    throw new PlainFailure('Give the private key: --key, or KEYDESK_UPDATE_KEY.')
  if (file !== undefined && process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new PlainFailure(`Others can read ${file}. Run \`chmod 600\` on it first.`)
  const key = createPrivateKey(text)
  if (key.asymmetricKeyType !== 'ed25519') throw new PlainFailure('The key must be Ed25519.')
  return key
}

/** @param {string} argument `PLATFORM=FILE` */
function fileOf(argument) {
  const [, platform, path] = /^([a-z0-9-]+)=(.+)$/.exec(argument) ?? []
  if (platform === undefined || path === undefined)
    throw new PlainFailure(`Name each file as PLATFORM=FILE, not “${argument}”.`)
  const bytes = readFileSync(path)
  const sha512 = createHash('sha512').update(bytes).digest('hex')
  return { platform, name: basename(path), bytes: bytes.length, sha512 }
}

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: {
      'new-key': { type: 'string' },
      key: { type: 'string' },
      'key-id': { type: 'string' },
      sequence: { type: 'string' },
      floor: { type: 'string' },
      rollout: { type: 'string', default: '100' },
      days: { type: 'string', default: '30' },
      out: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  if (values['new-key'] !== undefined) {
    createKey(values['new-key'])
    return 0
  }
  const { 'key-id': keyId, sequence, floor, out } = values
  if (
    values.help ||
    keyId === undefined ||
    !sequence ||
    !floor ||
    !out ||
    positionals.length === 0
  ) {
    console.error(help)
    return values.help ? 0 : 1
  }
  /** @type {{ version: string }} */
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const released = Date.now()
  const manifest = {
    product: 'keydesk',
    version,
    sequence: Number(sequence),
    released,
    expires: released + Number(values.days) * day,
    floor,
    rollout: Number(values.rollout),
    changes: changesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version),
    files: positionals.map(fileOf),
  }
  const key = privateKey(values.key)
  const signed = signManifest(manifest, keyId, key)
  const publicKey = createPublicKey(key).export({ format: 'jwk' }).x
  /** @type {{ keys: { id: string, publicKey: string }[] }} */
  const source = JSON.parse(readFileSync(join(root, 'resources/update-source.json'), 'utf8'))
  if (!source.keys.some((each) => each.id === keyId && each.publicKey === publicKey))
    console.error('Warning: resources/update-source.json doesn’t list this key under this ID.')
  writeFileSync(out, signed)
  return 0
})
