import { execFileSync, spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { root as repository } from '../../scripts/lib/paths.mjs'

/** A user without rights, whose home folder exists only in the clean root. */
const user = 65_534
const home = '/home/keydesk-test'

/** Why no clean root can be made here; null if one can. */
export function missingForCleanRoot(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'only root on Linux can mount a clean root'
  if (!existsSync('/usr/bin/dpkg')) return 'dpkg is missing: this is not Debian'
  const tried = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'])
  return tried.status === 0 ? null : 'this machine doesn’t allow mounts'
}

/** Where a link below /proc leads; nothing for a process that has ended. */
function linkOf(path: string): string[] {
  try {
    return [readlinkSync(`/proc/${path}`)]
  } catch {
    return []
  }
}

/** The processes that see the same mounts as another one, without that one. */
function processesOf(holder: number | undefined): number[] {
  const [mounts] = linkOf(`${holder}/ns/mnt`)
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== holder && linkOf(`${pid}/ns/mnt`)[0] === mounts)
}

/**
 * This machine's system as a root of its own: every change stays in memory, and this repository is
 * hidden. Network addresses are shared.
 */
export async function createCleanRoot() {
  const folder = mkdtempSync(join(tmpdir(), 'keydesk-root-'))
  const script = `
set -e
mount -t tmpfs tmpfs '${folder}'
cd '${folder}' && mkdir upper work root
mount -t overlay overlay -o lowerdir=/,upperdir=upper,workdir=work root
mount -t tmpfs tmpfs 'root${repository}'
mount -t tmpfs tmpfs root/tmp && chmod 1777 root/tmp
mount -t proc proc root/proc
mount --bind /dev root/dev
mkdir -p 'root${home}' && chown ${user}:${user} 'root${home}'
echo ready
exec sleep infinity`
  const holder = spawn('unshare', ['-m', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 2] })
  await new Promise<void>((resolve, reject) => {
    holder.stdout?.once('data', () => resolve())
    holder.once('exit', () => reject(new Error('The clean root could not be mounted.')))
  })
  const inside = (args: readonly string[]): string[] => [
    `--mount=/proc/${holder.pid}/ns/mnt`,
    'chroot',
    join(folder, 'root'),
    ...args,
  ]
  const asUser = (args: readonly string[]): string[] =>
    inside([
      'setpriv',
      `--reuid=${user}`,
      `--regid=${user}`,
      '--clear-groups',
      'env',
      '-i',
      `HOME=${home}`,
      'PATH=/usr/bin:/bin',
      ...args,
    ])
  const brought: string[] = []
  return {
    home,
    /** The programs of its processes, as absolute paths in the clean root. */
    programs: (): string[] => processesOf(holder.pid).flatMap((pid) => linkOf(`${pid}/exe`)),
    /** Runs a command as root and returns its output. */
    run: (...args: string[]): string => execFileSync('nsenter', inside(args)).toString(),
    /** The exit status of a command as root. */
    status: (...args: string[]): number | null => spawnSync('nsenter', inside(args)).status,
    /** Starts a program as the user. */
    start: (...args: string[]): ChildProcess =>
      spawn('nsenter', asUser(args), { stdio: ['ignore', 'pipe', 'pipe'] }),
    /** Copies a file to where the clean root sees it, and returns its path there. */
    bring(path: string): string {
      const shared = join('/var/tmp', basename(path))
      copyFileSync(path, shared)
      brought.push(shared)
      return shared
    },
    async close(): Promise<void> {
      for (const path of brought) rmSync(path, { force: true })
      for (const pid of processesOf(holder.pid)) process.kill(pid, 'SIGKILL')
      holder.kill('SIGKILL')
      await new Promise((resolve) => holder.once('close', resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
