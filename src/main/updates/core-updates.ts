import { aptInstall, flatpakInstall, openImage } from '../../platform/install-commands.ts'
import type { Updates } from '../../platform/updates.ts'
import type { Installation } from './installation.ts'

export type InstallationKind = Installation['kind']

/** The name of an installation's files in a manifest. */
const platformOf = (kind: InstallationKind): string =>
  ({
    nsis: `windows-${process.arch}-nsis`,
    appimage: `linux-${process.arch}-appimage`,
    // The Debian package without Electron has names like linux-arm64-deb.
    deb: `linux-${process.arch}-desktop-deb`,
    flatpak: `linux-${process.arch}-flatpak`,
    dmg: `macos-${process.arch}-dmg`,
  })[kind]

/** How a person installs a verified file where Keydesk can't. */
const commands: Partial<Record<InstallationKind, Updates['command']>> = {
  deb: (path) => ({ line: aptInstall(path), steps: 'quit-first' }),
  flatpak: (path) => ({ line: flatpakInstall(path), steps: 'quit-first' }),
  dmg: (path) => ({ line: openImage(path), steps: 'drag-to-applications' }),
}

/**
 * How the core updates an installation of Electron. On Windows and from an AppImage, main installs
 * the verified file when Keydesk has ended in an orderly way; elsewhere a person does.
 *
 * @param install asks main to quit and to install a file
 */
export function coreUpdates(
  kind: InstallationKind,
  source: Updates['source'],
  install: (path: string) => void,
): Updates {
  const command = commands[kind]
  let chosen: string | null = null
  return {
    source,
    platform: platformOf(kind),
    installed: () => null,
    ...(command === undefined ? { apply: (path) => void (chosen = path) } : { command }),
    restart: () => {
      if (chosen !== null) install(chosen)
    },
  }
}
