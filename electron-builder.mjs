import { iconFolder, keyringFolder } from './scripts/lib/packaging/prepared.mjs'
import { appId } from './src/main/app-id.ts'
import { nativePackages } from './vite.shared.ts'

/**
 * The contents and the installers of the packaged app. `scripts/dist.mjs` runs electron-builder with
 * it; docs/releasing.md describes the secrets.
 */

const { env } = process

/** The folders of out/ that the app contains. The browser host belongs to another package. */
const programs = ['core', 'main', 'preload', 'renderer', 'server', 'workers']

/**
 * The native packages, each with the build for one system only: Electron runs on glibc, and nothing
 * loads sources and declarations.
 *
 * @param {string} platform Node's name
 */
const nativeFiles = (platform) => [
  ...nativePackages.map((name) => ({
    from: `node_modules/${name}`,
    to: `node_modules/${name}`,
    filter: [
      '**/*',
      '!{deps,src}/**',
      '!**/*.{d.ts,gyp,map}',
      '!**/README.md',
      '!prebuilds/*.node',
      `prebuilds/${platform}-\${arch}.node`,
    ],
  })),
  {
    from: `${keyringFolder}/${platform}-\${arch}`,
    to: 'node_modules',
    filter: ['**/*', '!**/README.md'],
  },
]

/**
 * electron-builder changes the object that it receives, so each run gets its own.
 *
 * @returns {import('electron-builder').Configuration}
 */
export const configuration = () => ({
  appId,
  productName: 'Keydesk',
  copyright: 'Copyright © the owner of Keydesk',
  directories: { output: 'dist', buildResources: 'resources' },
  extraMetadata: {
    // Windows name the desktop entry that they belong to.
    desktopName: 'keydesk.desktop',
    // A Debian package must have one.
    homepage: env['KEYDESK_HOMEPAGE'] || 'https://keydesk.invalid',
  },

  // Only the native packages are outside the bundles, and their builds are in the packages.
  beforeBuild: async () => false,
  files: [
    `out/{${programs.join(',')}}/**`,
    '!**/*.map',
    '!out/**/.*',
    'package.json',
    { from: 'resources', to: 'resources', filter: ['icon.png'] },
  ],
  asar: true,
  // Programs that run in their own process or thread, and everything that they load. `package.json`
  // says that they are modules.
  asarUnpack: [
    'node_modules/**',
    `${keyringFolder}/**`,
    'out/{core,server,workers}/**',
    'package.json',
  ],
  extraResources: ['LICENSE', 'THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json'],
  protocols: [{ name: 'Keydesk', schemes: ['keydesk'] }],
  artifactName: `Keydesk-\${version}-\${os}-\${arch}.\${ext}`,
  // The release workflow uploads the files, after it has signed and attested them.
  publish: null,
  // A release without signatures would look like any other file from the internet.
  forceCodeSigning: env['KEYDESK_SIGN'] === 'true',

  win: { target: ['nsis'], icon: 'resources/icon.ico', files: nativeFiles('win32') },
  nsis: {
    // Without an administrator, into the person’s own folder. Their data stays on removal.
    oneClick: true,
    perMachine: false,
    deleteAppDataOnUninstall: false,
    createDesktopShortcut: false,
  },

  mac: {
    target: ['dmg', 'zip'],
    icon: 'resources/icon.icns',
    files: nativeFiles('darwin'),
    category: 'public.app-category.business',
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: 'resources/entitlements.mac.plist',
    entitlementsInherit: 'resources/entitlements.mac.plist',
    notarize: env['APPLE_API_KEY_ID'] !== undefined,
  },

  linux: {
    target: ['AppImage', 'deb', 'flatpak'],
    icon: iconFolder,
    files: nativeFiles('linux'),
    category: 'Office;Finance',
    executableName: 'keydesk',
    syncDesktopName: true,
    maintainer: env['KEYDESK_MAINTAINER'] || 'the owner of Keydesk <owner@keydesk.invalid>',
    vendor: 'Keydesk',
    synopsis: 'Operations console for sellers of digital goods',
  },
  // The package without Electron has the same command and the same desktop entry.
  deb: { packageName: 'keydesk-desktop', compression: 'xz', fpm: ['--conflicts=keydesk'] },
  flatpak: {
    base: 'org.electronjs.Electron2.BaseApp',
    baseVersion: '25.08',
    runtime: 'org.freedesktop.Platform',
    runtimeVersion: '25.08',
    sdk: 'org.freedesktop.Sdk',
    // No access to files: the system’s file chooser hands over those that a person picks.
    finishArgs: [
      '--share=ipc',
      '--share=network',
      '--socket=wayland',
      '--socket=fallback-x11',
      '--device=dri',
      '--talk-name=org.freedesktop.secrets',
      '--talk-name=org.freedesktop.Notifications',
    ],
  },
})
