import { setTimeout as wait } from 'node:timers/promises'
import { openFile, openWindow } from '../open-address.ts'
import type { OpenFile } from '../opener.ts'
import type { HostOptions } from '../options.ts'
import { askRunning } from './control-socket.ts'

/** How often, and how many times, a Keydesk that is just starting is asked. */
const startingPauseMs = 250
const startingTries = 40

export const openerOf = ({ window }: Pick<HostOptions, 'window'>): OpenFile =>
  window ? openWindow : openFile

/**
 * Hands this start over to the Keydesk that already runs on the data folder: it opens a window, or
 * quits. False if none runs. Throws `ForeignFolder`.
 */
export function handOver(options: HostOptions): Promise<boolean> {
  const { dataDir, link, quit } = options
  return askRunning(dataDir, quit ? { ask: 'quit' } : { ask: 'open', link }, openerOf(options))
}

/** As {@link handOver}, while another Keydesk has locked the folder and may not answer yet. */
export async function handOverToStarting(options: HostOptions): Promise<boolean> {
  if (!options.open) return false
  for (let tries = 0; tries < startingTries; tries += 1) {
    if (await handOver(options)) return true
    await wait(startingPauseMs)
  }
  return false
}
