import type { Updates } from '../../platform/updates.ts'

/** The names of an installation's files in a manifest. */
const platforms = { nsis: 'windows', appimage: 'linux' } as const
export type InstallationKind = keyof typeof platforms

/**
 * How the core updates an installation of Electron: main installs the verified file when Keydesk has
 * ended in an orderly way.
 *
 * @param install asks main to quit and to install a file
 */
export function coreUpdates(
  kind: InstallationKind,
  source: Updates['source'],
  install: (path: string) => void,
): Updates {
  let chosen: string | null = null
  return {
    source,
    platform: `${platforms[kind]}-${process.arch}-${kind}`,
    installed: () => null,
    apply: (path) => {
      chosen = path
    },
    restart: () => {
      if (chosen !== null) install(chosen)
    },
  }
}
