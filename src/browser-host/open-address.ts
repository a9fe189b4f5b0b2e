import { spawn } from 'node:child_process'

/**
 * Asks the system to open an address in its browser. Resolves false if the system can't (a server
 * without a desktop).
 */
export function openAddress(
  url: string,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const [command, args] =
    platform === 'darwin'
      ? (['open', [url]] as const)
      : platform === 'win32'
        ? (['rundll32', ['url.dll,FileProtocolHandler', url]] as const)
        : (['xdg-open', [url]] as const)
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
