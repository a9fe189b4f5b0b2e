import { rmSync } from 'node:fs'
import { z } from 'zod'
import type { Busy, Refusal, UpdateState } from '../../contract/app/updates.ts'
import { localized } from '../../contract/localization/localized.ts'
import type { Localized } from '../../contract/localization/localized.ts'
import type { Host } from '../../platform/host.ts'
import type { Network } from '../../platform/network.ts'
import type { Updates as HostUpdates } from '../../platform/updates.ts'
import type { CoreContext } from '../context.ts'
import { later, msUntil } from '../clock.ts'
import { failure } from '../failure.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { Scope } from '../lifecycle/lifecycle.ts'
import { downloadFile, isUpdateFile } from './download.ts'
import { fetchLimited } from './fetch-limited.ts'
import { judgeManifest, seenSchema } from './judge.ts'
import type { Seen } from './judge.ts'
import { MAX_MANIFEST_BYTES, readManifest } from './manifest.ts'
import type { UpdateFile, UpdateManifest } from './manifest.ts'
import { UpdateRefused } from './refused.ts'

/**
 * When the manifest is first read after a start, how often afterwards, and how often a waiting
 * restart looks for work in flight, in milliseconds.
 */
const FIRST_CHECK_MS = 60_000
const CHECK_EVERY_MS = 24 * 3_600_000
const WAIT_EVERY_MS = 2000
const MANIFEST_PATIENCE_MS = 60_000
const FILE_PATIENCE_MS = 3_600_000
/** The time between the response to a restart request and the restart, in milliseconds. */
const RESTART_AFTER_MS = 100

const SEEN = 'update seen'
const INSTALLATION = 'update installation'

type UpdatesContext = Pick<CoreContext, 'host' | 'clock' | 'random' | 'changes' | 'activity'>
type Parts = {
  context: Omit<UpdatesContext, 'host'> & {
    host: Pick<Host, 'dataDir' | 'version' | 'network'>
  }
  settings: Pick<SettingsStore, 'recall' | 'remember'>
  /** How the host is updated; undefined where it isn’t. */
  updates: HostUpdates | undefined
}
type Offer = { manifest: UpdateManifest; file: UpdateFile }

const nothingToDo = (what: string) =>
  failure('CONFLICT', what, 'Check for updates again.', { effect: 'Nothing was changed.' })
const workInFlight = () =>
  failure(
    'CONFLICT',
    'Work is in flight: an upload, a bulk change or an order.',
    'Restart when it finishes.',
    { effect: 'Nothing was changed.' },
  )

/**
 * Finds, verifies and offers updates. Nothing is requested without a configured address, downloaded
 * without a person, or applied while work is in flight.
 *
 * @param busy the work in flight
 */
export function createUpdates(
  { context, settings, updates }: Parts,
  scope: Scope,
  busy: () => Busy,
) {
  const { host, clock, random, changes, activity } = context
  const source = updates?.source
  let status: 'idle' | 'checking' | 'downloading' | 'refused' | 'failed' = 'idle'
  let checkedAt: number | null = null
  let offer: Offer | null = null
  let ready: string | null = null
  let done = 0
  let refusal: Refusal | null = null
  let restartsWhenIdle = false
  let nextCheck = later(clock.monotonic(), FIRST_CHECK_MS)
  const tell = (): void => changes.notify('updates')

  const isBusy = (): boolean => {
    const { uploads, changes: bulk, orders } = busy()
    return uploads + bulk + orders > 0
  }
  const note = (what: Localized, detail: Localized | null, outcome: 'ok' | 'failed'): void =>
    activity.add({
      accountId: null,
      what,
      detail,
      outcome,
      code: null,
      status: null,
      requestId: null,
      durationMs: null,
    })

  function shownStatus(): UpdateState['status'] {
    if (updates === undefined) return 'sources'
    if (updates.installed() !== null) return 'installed'
    if (source?.address === null) return 'off'
    if (status !== 'idle') return status
    return offer === null ? 'current' : ready === null ? 'available' : 'ready'
  }

  function state(): UpdateState {
    return {
      status: shownStatus(),
      current: host.version,
      checkedAt,
      offer:
        offer === null
          ? null
          : {
              version: offer.manifest.version,
              releasedAt: offer.manifest.released,
              changes: offer.manifest.changes,
              bytes: offer.file.bytes,
            },
      done,
      refusal,
      command: ready === null ? null : (updates?.command?.(ready) ?? null),
      busy: busy(),
      restartsWhenIdle,
    }
  }

  function readSeen(): Seen | null {
    try {
      return seenSchema.parse(JSON.parse(settings.recall(SEEN) ?? ''))
    } catch {
      return null
    }
  }

  /** A random number of this installation, which is never sent. */
  function installation(): string {
    const known = z.uuid().safeParse(settings.recall(INSTALLATION))
    if (known.success) return known.data
    const created = random.id()
    settings.remember(INSTALLATION, created)
    return created
  }

  /** Runs one step, and turns its errors into a state. */
  async function attempt(step: 'checking' | 'downloading', task: () => Promise<void>) {
    if (status === 'checking' || status === 'downloading') return state()
    status = step
    refusal = null
    done = 0
    tell()
    try {
      await task()
      status = 'idle'
    } catch (error) {
      const isRefused = error instanceof UpdateRefused
      // A check without an answer says nothing about a downloaded update.
      if (isRefused || step === 'downloading') ready = null
      if (isRefused) {
        status = 'refused'
        refusal = error.reason
        offer = null
        note(
          localized('updates.rejected'),
          localized('updates.reason', { reason: refusal }),
          'failed',
        )
      } else status = ready === null ? 'failed' : 'idle'
    }
    tell()
    return state()
  }

  const network: Network | undefined = host.network
  async function findOffer(address: string, platform: string): Promise<void> {
    const parts: Buffer[] = []
    const limits = { most: MAX_MANIFEST_BYTES, patienceMs: MANIFEST_PATIENCE_MS, network }
    await fetchLimited(new URL(address), { ...limits, signal: scope.signal }, (bytes) => {
      parts.push(bytes)
    })
    const read = readManifest(Buffer.concat(parts).toString('utf8'), source?.keys ?? [])
    const judged = judgeManifest(read, {
      current: host.version,
      seen: readSeen(),
      now: clock.now(),
      installation: installation(),
    })
    settings.remember(SEEN, JSON.stringify(judged.seen))
    checkedAt = clock.now()
    const file = read.manifest.files.find((each) => each.platform === platform)
    const before = offer?.file.sha512
    offer = judged.offered && file !== undefined ? { manifest: read.manifest, file } : null
    if (offer?.file.sha512 !== before) ready = null
  }

  const check = (): Promise<UpdateState> =>
    attempt('checking', async () => {
      if (updates === undefined || updates.source.address === null) return
      await findOffer(updates.source.address, updates.platform)
    })

  async function download(): Promise<UpdateState> {
    const address = source?.address ?? null
    const wanted = offer
    if (wanted === null || address === null) throw nothingToDo('No update is available.')
    return attempt('downloading', async () => {
      const { file, manifest } = wanted
      const limits = { most: file.bytes, patienceMs: FILE_PATIENCE_MS, network }
      const place = new URL(encodeURIComponent(file.name), address)
      ready = await downloadFile(host.dataDir, file, (take) =>
        fetchLimited(place, { ...limits, signal: scope.signal }, async (bytes) => {
          await take(bytes)
          done += bytes.length
          tell()
        }),
      )
      note(
        localized('updates.verified'),
        localized('updates.version', { version: manifest.version }),
        'ok',
      )
    })
  }

  /**
   * Applies the ready update, after it was verified again: it may have been replaced since. Returns
   * false if work started while the file was read, or if the restart isn't wanted anymore.
   */
  async function restartNow(isWanted = (): boolean => true): Promise<boolean> {
    if (updates === undefined) return true
    if (updates.installed() === null) {
      const path = ready
      if (offer === null || path === null || updates.apply === undefined)
        throw nothingToDo('No update is ready.')
      if (!(await isUpdateFile(path, offer.file))) {
        rmSync(path, { recursive: true, force: true })
        await attempt('checking', () => Promise.reject(new UpdateRefused('wrong-file')))
        return true
      }
      if (isBusy() || !isWanted()) return false
      updates.apply(path)
    }
    clock.after(RESTART_AFTER_MS, () => updates.restart())
    return true
  }

  async function restart(when: 'now' | 'idle'): Promise<UpdateState> {
    const status = shownStatus()
    if (status !== 'installed' && (status !== 'ready' || updates?.apply === undefined))
      throw nothingToDo('No update is ready.')
    if (isBusy() || !(await restartNow())) {
      if (when === 'now') throw workInFlight()
      restartsWhenIdle = true
    }
    tell()
    return state()
  }

  scope.every(WAIT_EVERY_MS, async () => {
    if (!restartsWhenIdle || isBusy()) return
    try {
      if (await restartNow(() => restartsWhenIdle)) restartsWhenIdle = false
    } catch (error) {
      restartsWhenIdle = false
      throw error
    } finally {
      tell()
    }
  })
  if (updates !== undefined && updates.source.address !== null)
    scope.every(FIRST_CHECK_MS, async () => {
      if (msUntil(clock, nextCheck) > 0) return
      nextCheck = later(clock.monotonic(), CHECK_EVERY_MS)
      await check()
    })

  return {
    state,
    check,
    download,
    restart,
    cancelRestart(): UpdateState {
      restartsWhenIdle = false
      tell()
      return state()
    },
  }
}
export type Updates = ReturnType<typeof createUpdates>
