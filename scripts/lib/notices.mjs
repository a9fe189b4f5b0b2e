import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './paths.mjs'
import { importedPackages, shippedPackages } from './shipped-packages.mjs'

/** @typedef {import('./shipped-packages.mjs').Shipped} Shipped */

/** Works inside packages whose own authors ask for attribution. */
const includedWorks = [
  'secure-password-utilities contains the EFF’s Long Wordlist for passphrases by the Electronic',
  'Frontier Foundation, licensed under CC BY 3.0 US (https://creativecommons.org/licenses/by/3.0/us/).',
].join('\n')

const line = '-'.repeat(80)

/**
 * The two files that describe everything of other authors that Keydesk contains.
 *
 * @returns {{ path: string, text: string }[]}
 */
export function notices() {
  const packages = shippedPackages()
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const direct = importedPackages().map((each) => `node_modules/${each}`)
  const bill = JSON.stringify(billOf(packages, { name, version, direct }), null, 2)
  return [
    { path: join(root, 'THIRD-PARTY-NOTICES.txt'), text: noticesOf(packages) },
    { path: join(root, 'sbom.cdx.json'), text: `${bill}\n` },
  ]
}

/**
 * The list of all works of other authors and their license texts. It is the same on every system:
 * packages for one system have the license of the package that needs them.
 *
 * @param {readonly Shipped[]} packages
 */
function noticesOf(packages) {
  /** @type {Map<string, string[]>} */
  const users = new Map()
  for (const each of packages) {
    const text = licenseText(each)
    users.set(text, [...(users.get(text) ?? []), `${each.name} ${each.version} (${each.license})`])
  }
  const sections = [...users].map(
    ([text, names]) => `${line}\n${[...new Set(names)].join('\n')}\n\n${text}\n`,
  )
  return [
    'Keydesk contains the works below, each under the license of its authors.',
    'Written by `npm run notices`. Don’t edit it.',
    '',
    includedWorks,
    '',
    ...sections,
  ].join('\n')
}

/** @param {Shipped} shipped */
function licenseText({ path, license, optional }) {
  const elsewhere = `The package names its license, ${license}, and contains no text of it.`
  if (optional) return `A package for some systems. ${elsewhere.replace('The package', 'It')}`
  const folder = join(root, path)
  if (!existsSync(folder)) throw new Error(`${path} is not installed: run \`npm ci\` first`)
  const texts = readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
  return texts.length === 0 ? elsewhere : texts.join('\n\n')
}

/**
 * A software bill of materials in CycloneDX 1.6. It contains neither a time nor a serial number, so
 * that the same packages always give the same file.
 *
 * @param {readonly Shipped[]} packages
 * @param {{ name: string, version: string, direct: readonly string[] }} product
 */
function billOf(packages, { name, version, direct }) {
  const self = `pkg:npm/${name}@${version}`
  const refs = new Map(packages.map((each) => [each.path, refOf(each)]))
  const refsOf = (/** @type {readonly string[]} */ paths) =>
    [...new Set(paths.flatMap((path) => refs.get(path) ?? []))].sort()
  const components = new Map(packages.map((each) => [refOf(each), componentOf(each)]))
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': self, name, version, purl: self } },
    components: [...components.values()],
    dependencies: [
      { ref: self, dependsOn: refsOf(direct) },
      ...packages.map((each) => ({ ref: refOf(each), dependsOn: refsOf(each.needs) })),
    ].filter(({ ref }, index, all) => all.findIndex((other) => other.ref === ref) === index),
  }
}

/** @param {Shipped} shipped */
const refOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** @param {Shipped} shipped */
function componentOf(shipped) {
  const { name, version, license, integrity, optional } = shipped
  const [algorithm = '', content = ''] = integrity.split('-')
  return {
    type: 'library',
    'bom-ref': refOf(shipped),
    name,
    version,
    scope: optional ? 'optional' : 'required',
    hashes: [
      {
        alg: algorithm.replace('sha', 'SHA-'),
        content: Buffer.from(content, 'base64').toString('hex'),
      },
    ],
    licenses: [{ expression: license }],
    purl: refOf(shipped),
  }
}
