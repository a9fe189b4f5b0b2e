import { readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Arch, Platform, build as runBuilder } from 'electron-builder'
import { configuration } from '../../../electron-builder.mjs'
import { build } from '../build.mjs'
import { electronBinary } from '../electron-binary.mjs'
import { folderSize } from '../folder-size.mjs'
import { modulesFolder, root } from '../paths.mjs'
import { PlainFailure } from '../plain-failure.mjs'
import { setFuses } from './fuses.mjs'
import { help, readDistOptions } from './options.mjs'
import { prepareIcons, prepareKeyring } from './prepared.mjs'
import { sizesOf } from './sizes.mjs'
import { writeStandIn } from './stand-in.mjs'

/** @typedef {import('electron-builder').Configuration} Configuration */
/** @typedef {{ platform: Platform, arch: string }} System */

const outputs = { real: 'dist', standIn: 'dist/stand-in', twin: 'dist/twin' }

/**
 * `npm run dist`.
 *
 * @param {readonly string[]} args
 */
export async function main(args) {
  const options = readDistOptions(args)
  if (options.help) {
    process.stdout.write(help)
    return 0
  }
  if ((await build()) !== 0) throw new PlainFailure('The build failed. See the reason above.')
  prepareIcons()
  if (options.dir) for (const system of systemsOf(options)) await pack(system, options)
  else await makeInstallers(options)
  return 0
}

/** @param {import('./options.mjs').DistOptions} options */
function systemsOf({ twin, arch = process.arch }) {
  const here = { platform: Platform.current(), arch }
  const others = [Platform.LINUX, Platform.WINDOWS].filter(
    (platform) => !twin && platform !== here.platform,
  )
  return [here, ...others.map((platform) => ({ platform, arch }))]
}

/** @param {System} system */
const nameOf = ({ platform, arch }) => `${platform.nodeName}-${arch}`

/**
 * Packages the app of one system without installers, with Electron or its stand-in.
 *
 * @param {System} system
 * @param {{ twin: boolean }} options
 */
async function pack(system, { twin }) {
  const isHere = nameOf(system) === `${process.platform}-${process.arch}`
  const binary = isHere ? electronBinary() : undefined
  if (binary === undefined && twin)
    throw new PlainFailure(
      'A twin is for running, and Electron isn’t installed: run `node node_modules/electron/install.js` first.',
    )
  if (binary === undefined && system.platform === Platform.MAC)
    throw new PlainFailure(
      'An app for macOS needs Electron itself: run `node node_modules/electron/install.js` first.',
    )
  const electronDist = binary === undefined ? standIn(system) : join(modulesFolder, 'electron/dist')
  const output = binary === undefined ? outputs.standIn : twin ? outputs.twin : outputs.real
  prepareKeyring(nameOf(system))
  await builder(system.platform.createTarget('dir', archOf(system)), { twin, output, electronDist })
  if (binary === undefined)
    console.error('It contains a stand-in for Electron: it can be checked, not run.')
}

/** @param {System} system */
const archOf = ({ arch }) => (arch === 'arm64' ? Arch.arm64 : Arch.x64)

/** @param {System} system */
function standIn(system) {
  const { version } = JSON.parse(
    readFileSync(join(modulesFolder, 'electron', 'package.json'), 'utf8'),
  )
  const folder = join(root, '.cache', 'dist', 'stand-in', nameOf(system))
  writeStandIn(folder, { platform: system.platform.nodeName, version })
  return folder
}

/**
 * Makes all installers of this system. electron-builder downloads Electron and compares it with the
 * checksums of its release.
 *
 * @param {import('./options.mjs').DistOptions} options
 */
async function makeInstallers({ arch }) {
  const platform = Platform.current()
  const archs = arch ? [arch] : platform === Platform.MAC ? ['x64', 'arm64'] : [process.arch]
  for (const each of archs) prepareKeyring(nameOf({ platform, arch: each }))
  const targets = platform.createTarget(
    null,
    ...archs.map((each) => archOf({ platform, arch: each })),
  )
  await builder(targets, { twin: false, output: outputs.real })
}

/**
 * @param {ReturnType<Platform['createTarget']>} targets
 * @param {{ twin: boolean, output: string, electronDist?: string }} about
 */
async function builder(targets, { twin, output, electronDist }) {
  const shared = configuration()
  await runBuilder({
    projectDir: root,
    targets,
    publish: 'never',
    config: {
      ...shared,
      directories: { ...shared.directories, output },
      ...(electronDist === undefined ? {} : { electronDist }),
      // Electron's own demo, which electron-builder leaves in an unpacked Electron.
      afterExtract: async ({ appOutDir, packager }) =>
        rmSync(join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true }),
      afterPack: async (context) => {
        await setFuses(context, { twin })
        reportSizes(context)
      },
    },
  })
}

/** @param {import('electron-builder').AfterPackContext} context */
function reportSizes({ appOutDir, packager }) {
  const resources = packager.getResourcesDir(appOutDir)
  console.error(`${relative(root, appOutDir)}: ${megabytes(folderSize(appOutDir))}`)
  for (const { name, bytes } of sizesOf(appOutDir, relative(appOutDir, resources)))
    console.error(`  ${name.padEnd(34)}${megabytes(bytes).padStart(10)}`)
}

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`
