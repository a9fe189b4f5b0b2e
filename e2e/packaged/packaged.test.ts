import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as asar from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { NtExecutable, NtExecutableResource, Resource } from 'resedit'
import { beforeAll, describe, expect, test } from 'vitest'
import { configuration } from '../../electron-builder.mjs'
import { picturesOf } from '../../scripts/lib/packaging/prepared.mjs'
import { builtFolder, root } from '../../scripts/lib/paths.mjs'
import { productNode } from '../../scripts/lib/pinned-node.mjs'
import { changedPrograms } from '../../src/main/security/program-files.ts'
import { cleanEnvironment } from '../support/processes.ts'
import { bytesOf, filesOf, startableCopy } from './contents.ts'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
}
const systems = [
  { name: 'Linux', folder: 'linux-unpacked', program: 'keydesk', native: 'linux-x64' },
  { name: 'Windows', folder: 'win-unpacked', program: 'Keydesk.exe', native: 'win32-x64' },
].map((system) => {
  const app = join(root, 'dist/stand-in', system.folder)
  return { ...system, app, resources: join(app, 'resources') }
})
const [linux, windows] = systems as [(typeof systems)[number], (typeof systems)[number]]
const startable = join(root, 'test-results', 'packaged')
const unpackedOf = ({ resources }: { resources: string }): string =>
  join(resources, 'app.asar.unpacked')

/** Files below a folder, with `/` between folders. */
const below = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .sort()

/** Everything that an app may contain. */
const allowed = [
  /^package\.json$/,
  /^resources\/icon\.png$/,
  /^out\/main\/index\.js$/,
  /^out\/preload\/index\.cjs$/,
  /^out\/renderer\/(index\.html|assets\/[\w.-]+\.(js|css|woff2|png|svg))$/,
  /^out\/(core|server|workers)\/(chunks\/)?[\w.-]+\.js$/,
  /^node_modules\/better-sqlite3\/(package\.json|lib\/[\w/-]+\.js|prebuilds\/[\w-]+\.node)$/,
  /^node_modules\/keytar\/(package\.json|(index|keytar)\.js)$/,
  /^node_modules\/@napi-rs\/keyring-[\w-]+\/(package\.json|LICENSE\.third-party\.md|[\w.-]+\.node)$/,
]

const isModule = (path: string): boolean => /\.[cm]?js$/.test(path)

beforeAll(() => {
  const packed = spawnSync(productNode(), ['scripts/dist.mjs', '--dir'], {
    cwd: root,
    encoding: 'utf8',
    // No Electron is there, so that the result is the same on every computer.
    env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: join(tmpdir(), 'keydesk-no-electron') },
  })
  if (packed.status !== 0) throw new Error(packed.stderr)
  // The step `packaged` of npm test starts Playwright’s tests in it, too.
  startableCopy(linux.resources, startable)
}, 300_000)

describe.each(systems)('the app for $name', (system) => {
  const archive = join(system.resources, 'app.asar')

  test('contains only the built programs, their native packages and an icon', () => {
    const paths = filesOf(archive).map(({ path }) => path)
    expect(paths.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([])
    for (const pattern of allowed)
      expect(
        paths.filter((path) => pattern.test(path)),
        String(pattern),
      ).not.toEqual([])
  })

  test('contains every built file of its programs, unchanged, and no map', () => {
    const packed = filesOf(archive)
      .map(({ path }) => path)
      .filter((path) => path.startsWith('out/'))
    const built = ['core', 'main', 'preload', 'renderer', 'server', 'workers'].flatMap((program) =>
      below(join(builtFolder, program))
        .filter((path) => !path.startsWith('.'))
        .map((path) => `out/${program}/${path}`),
    )
    expect(packed.toSorted()).toEqual(built.toSorted())
    for (const path of packed) {
      const bytes = bytesOf(archive, path)
      expect(bytes.equals(readFileSync(join(root, path))), path).toBe(true)
      if (isModule(path)) expect(bytes.includes('\n//# sourceMappingURL='), path).toBe(false)
    }
  })

  test('has its programs and native packages beside the archive, and nothing else', () => {
    const unpacked = filesOf(archive).filter((file) => file.unpacked)
    expect(unpacked.map(({ path }) => path).toSorted()).toEqual(below(unpackedOf(system)))
    const isOutside = /^(node_modules\/|out\/(core|server|workers)\/|package\.json$)/
    expect(
      filesOf(archive).filter(({ path, unpacked: beside }) => isOutside.test(path) !== beside),
    ).toEqual([])
  })

  test('has the native code of its own system only', () => {
    const natives = below(unpackedOf(system)).filter((path) => path.endsWith('.node'))
    expect(natives).toEqual([
      expect.stringMatching(`^node_modules/@napi-rs/keyring-${system.native}-\\w+/`),
      `node_modules/better-sqlite3/prebuilds/${system.native}.node`,
    ])
    for (const path of natives) {
      const start = readFileSync(join(unpackedOf(system), path))
        .subarray(0, 4)
        .toString('latin1')
      expect(start, path).toMatch(system === linux ? /^\x7fELF/ : /^MZ/)
    }
  })

  test('says what it is in its package.json, and nothing about how it is built', () => {
    const manifest = JSON.parse(bytesOf(archive, 'package.json').toString()) as object
    expect(manifest).toMatchObject({
      name: 'keydesk',
      productName: 'Keydesk',
      version,
      main: 'out/main/index.js',
      type: 'module',
      desktopName: 'keydesk.desktop',
    })
    for (const field of ['scripts', 'devDependencies'])
      expect(Object.keys(manifest)).not.toContain(field)
  })

  test('has every fuse set as the security page lists it', async () => {
    const wire = await getCurrentFuseWire(join(system.app, system.program))
    const states = Object.entries(wire).filter(([name]) => /^\d+$/.test(name))
    const isOn = 0x31
    expect(
      Object.fromEntries(
        states.map(([index, state]) => [FuseV1Options[Number(index)], state === isOn]),
      ),
    ).toEqual({
      RunAsNode: false,
      EnableCookieEncryption: true,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
      LoadBrowserProcessSpecificV8Snapshot: false,
      GrantFileProtocolExtraPrivileges: false,
      WasmTrapHandlers: true,
    })
  })

  test('has a hash of every file in its archive', () => {
    for (const { path, unpacked, hash } of filesOf(archive)) {
      if (unpacked) continue
      expect(hash, path).toBe(createHash('sha256').update(bytesOf(archive, path)).digest('hex'))
    }
  })

  test('lists its programs as main compares them at the start', async () => {
    expect(await changedPrograms(archive)).toEqual([])
  })

  test('has the licenses of Keydesk, of everything it contains, and of Electron', () => {
    for (const name of ['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json'])
      expect(readFileSync(join(system.resources, name), 'utf8')).toBe(
        readFileSync(join(root, name), 'utf8'),
      )
    const files = below(system.app)
    expect(files).toEqual(
      expect.arrayContaining(['LICENSE.electron.txt', 'LICENSES.chromium.html']),
    )
    // Fields for dates have the format of the person’s language.
    expect(files).toContain('locales/de.pak')
    // Electron’s demo would be another program in the app.
    expect(files.filter((path) => path.endsWith('.asar'))).toEqual(['resources/app.asar'])
  })
})

describe('the executable for Windows', () => {
  const read = () => {
    const executable = NtExecutable.from(readFileSync(join(windows.app, windows.program)))
    return NtExecutableResource.from(executable)
  }

  test('contains the hash of its archive’s header, which Electron checks at the start', () => {
    const { headerString } = asar.getRawHeader(join(windows.resources, 'app.asar'))
    const integrity = read().entries.find(({ type }) => type === 'INTEGRITY')
    expect(integrity?.id).toBe('ELECTRONASAR')
    expect(JSON.parse(Buffer.from(integrity?.bin ?? new ArrayBuffer()).toString())).toEqual([
      {
        file: 'resources\\app.asar',
        alg: 'SHA256',
        value: createHash('sha256').update(headerString).digest('hex'),
      },
    ])
  })

  test('has the version, the names and the icon of Keydesk', () => {
    const { entries } = read()
    const [info] = Resource.VersionInfo.fromEntries(entries)
    const [language] = info?.getAllLanguagesForStringValues() ?? []
    expect(language && info?.getStringValues(language)).toMatchObject({
      ProductName: 'Keydesk',
      FileDescription: 'Keydesk',
      FileVersion: version,
    })
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
    expect([info?.fixedInfo.productVersionMS, info?.fixedInfo.productVersionLS]).toEqual([
      major * 0x1_0000 + minor,
      patch * 0x1_0000,
    ])
    const [group] = Resource.IconGroupEntry.fromEntries(entries)
    const icons = group?.getIconItemsFromEntries(entries) ?? []
    const pictures = picturesOf(readFileSync(join(root, 'resources/icon.ico')))
    expect(icons.map((icon) => ('bin' in icon ? Buffer.from(icon.bin).length : 0))).toEqual(
      pictures.map(({ png }) => png.length),
    )
  })
})

test('a twin differs in the inspector’s fuse only, and a fuse that Electron adds must be decided', async () => {
  const { fusesOf } = await import('../../scripts/lib/packaging/fuses.mjs')
  const shipped = fusesOf({ twin: false })
  expect(shipped.strictlyRequireAllFuses).toBe(true)
  expect({ ...shipped, [FuseV1Options.EnableNodeCliInspectArguments]: true }).toEqual(
    fusesOf({ twin: true }),
  )
})

/** The files of electron-builder that no export reaches. */
const builderRequire = createRequire(createRequire(import.meta.url).resolve('electron-builder'))

type Prototype<Method> = { prototype: Method }

/** The packager that electron-builder's targets for Linux see. */
function linuxPackager() {
  const { linux: ofLinux, ...config } = configuration()
  const options = ofLinux ?? {}
  const { extraMetadata: metadata } = config
  return {
    options,
    packager: {
      config,
      appInfo: {
        productName: 'Keydesk',
        sanitizedProductName: 'Keydesk',
        description: '',
        computePackageUrl: async () => metadata?.homepage as unknown,
      },
      executableName: options.executableName,
      fileAssociations: [],
      info: { metadata },
      platformSpecificBuildOptions: options,
    },
  }
}

test('the desktop entry opens keydesk:// links and has the icon in every size of the system', async () => {
  const { LinuxTargetHelper } = builderRequire('app-builder-lib/out/targets/LinuxTargetHelper') as {
    LinuxTargetHelper: Prototype<{ computeDesktopEntry(options: object): Promise<string> }>
  }
  const { options, packager } = linuxPackager()
  const entry = await LinuxTargetHelper.prototype.computeDesktopEntry.call(
    { packager, getDescription: () => '' } as never,
    options,
  )
  expect(entry.split('\n')).toEqual(
    expect.arrayContaining([
      'Exec=/opt/Keydesk/keydesk %U',
      'Icon=keydesk',
      'StartupWMClass=keydesk',
      'MimeType=x-scheme-handler/keydesk;',
    ]),
  )
  expect(readdirSync(join(root, options.icon ?? '')).toSorted()).toEqual(
    [16, 24, 32, 48, 64, 128, 256, 512].map((size) => `${size}x${size}.png`).toSorted(),
  )
})

test('a Debian package has all that electron-builder demands of one', async () => {
  const { default: FpmTarget } = builderRequire('app-builder-lib/out/targets/FpmTarget') as {
    default: Prototype<{ computeFpmMetaInfoOptions(): Promise<object> }>
  }
  const { options, packager } = linuxPackager()
  const { deb } = configuration()
  const facts = FpmTarget.prototype.computeFpmMetaInfoOptions.call({
    packager,
    options: { ...options, ...deb },
  } as never)
  await expect(facts).resolves.toMatchObject({
    name: 'keydesk-desktop',
    maintainer: expect.stringMatching(/^.+ <.+@.+>$/),
    url: expect.stringMatching(/^https:/),
    vendor: 'Keydesk',
  })
})

describe('the app for Linux, started', () => {
  test('loads its native packages without any other package', () => {
    const script = `
      const Database = require('better-sqlite3')
      const { AsyncEntry } = require('keytar')
      const { version } = new Database(':memory:').prepare('SELECT sqlite_version() AS version').get()
      console.log(JSON.stringify({ version, keychain: typeof AsyncEntry }))`
    // Above the repository’s own packages nothing is found, so it must run outside of it.
    const folder = mkdtempSync(join(tmpdir(), 'keydesk-natives-'))
    startableCopy(linux.resources, folder)
    const loaded = spawnSync(productNode(), ['-e', script], {
      cwd: join(folder, 'app.asar.unpacked'),
      encoding: 'utf8',
    })
    rmSync(folder, { recursive: true })
    expect(loaded.stderr).toBe('')
    expect(JSON.parse(loaded.stdout)).toEqual({
      version: expect.stringMatching(/^3\./),
      keychain: 'function',
    })
  })

  test('passes its self-check from inside the package, and leaves no file', () => {
    const home = mkdtempSync(join(tmpdir(), 'keydesk-packaged-'))
    mkdirSync(join(home, 'run'), { mode: 0o700 })
    const copy = startableCopy(linux.resources, join(home, 'app'))
    const checked = spawnSync(productNode(), ['e2e/electron-double/run-self-check.ts', home], {
      cwd: root,
      encoding: 'utf8',
      env: cleanEnvironment(home, { KEYDESK_APP_FOLDER: copy, TMPDIR: join(home, 'run') }),
    })
    const left = readdirSync(join(home, 'run')).filter((name) => name.startsWith('keydesk-self'))
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    expect(checked.status, checked.stderr).toBe(0)
    expect(JSON.parse(checked.stdout)).toMatchObject({
      ok: true,
      version,
      packaged: true,
      failure: null,
      checks: {
        window: { ok: true },
        worker: { ok: true },
        keychain: { ok: false, detail: expect.stringContaining('Secret Service') },
        sandbox: { ok: true },
      },
    })
    expect(left).toEqual([])
  })
})
