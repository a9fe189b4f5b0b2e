/**
 * Loaded before the service by `node --import`: kills its own process at a crash point, and counts
 * how often each one is reached.
 */
import { channel } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import {
  channelName,
  type CrashPoint,
  crashPointNames,
} from '../../../server/domain/crash-points.ts'
import { type Counts, environment, type Strike } from './strike.ts'

/** Message from the parent: strike at this crash point, or (null) report the counts. */
export type Request = { readonly strike: Strike | null }
/** Message from the process to its parent. */
export type Message = { readonly passed: CrashPoint } | { readonly counts: Counts }

const say = (said: Message): void => void process.send?.(said)
const counts = Object.fromEntries(crashPointNames.map((name) => [name, 0])) as Counts
let strike = JSON.parse(process.env[environment.strike] ?? 'null') as Strike | null
let left = strike?.nth ?? 0
process.on('message', (message) => {
  const asked = message as Request
  if (asked.strike === null) return say({ counts })
  strike = asked.strike
  left = strike.nth
})
process.channel?.unref()
for (const moment of crashPointNames) {
  channel(channelName(moment)).subscribe(() => {
    counts[moment] += 1
    if (strike?.crashPoint !== moment) return
    left -= 1
    if (left !== 0) return
    if (strike.late) say({ passed: moment })
    else process.kill(process.pid, 'SIGKILL')
  })
}
const file = process.env[environment.counts]
if (file !== undefined) process.on('exit', () => writeFileSync(file, JSON.stringify(counts)))
