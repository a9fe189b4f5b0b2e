import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { UpdateManifest } from './manifest.ts'
import { UpdateRefused } from './refused.ts'
import { compareVersions, versionSchema } from './version.ts'

/** How far this computer's clock may be behind the owner's, in milliseconds. */
const CLOCK_TOLERANCE_MS = 86_400_000

/** What earlier manifests have established. It never goes back. */
export const seenSchema = z.object({
  sequence: z.number().int(),
  digest: z.string(),
  floor: versionSchema,
  /** The latest time at which a manifest was released: it is certainly later now. */
  released: z.number().int(),
})
export type Seen = z.infer<typeof seenSchema>

/**
 * Judges a verified manifest against this installation. Throws {@link UpdateRefused} for one that
 * the owner has replaced, that has expired, or that leads to an older version. Returns the
 * facts to store, and whether this installation is offered the version.
 */
export function judgeManifest(
  { manifest, digest }: { manifest: UpdateManifest; digest: string },
  {
    current,
    seen,
    now,
    installation,
  }: { current: string; seen: Seen | null; now: number; installation: string },
): { seen: Seen; offered: boolean } {
  const { version, sequence, released, expires, floor, rollout } = manifest
  if (released > now + CLOCK_TOLERANCE_MS) throw new UpdateRefused('from-the-future')
  // A clock that was set back doesn't make an expired manifest valid.
  if (expires <= Math.max(now, seen?.released ?? 0)) throw new UpdateRefused('expired')
  if (seen !== null) {
    if (sequence < seen.sequence) throw new UpdateRefused('replayed')
    if (sequence === seen.sequence && digest !== seen.digest) throw new UpdateRefused('replayed')
    if (compareVersions(floor, seen.floor) < 0) throw new UpdateRefused('floor-lowered')
  }
  if (compareVersions(version, floor) < 0) throw new UpdateRefused('below-floor')
  if (compareVersions(version, current) < 0) throw new UpdateRefused('older-version')
  return {
    seen: { sequence, digest, floor, released: Math.max(released, seen?.released ?? 0) },
    offered: compareVersions(version, current) > 0 && shareOf(installation, version) < rollout,
  }
}

/** The place of an installation in the roll-out of a version, from 0 to 99, always the same. */
export function shareOf(installation: string, version: string): number {
  const hash = createHash('sha256').update(`${installation} ${version}`).digest()
  return hash.readUInt32BE(0) % 100
}
