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

/** `no-browser`: a Keydesk runs, but this computer opened no browser. */
export type HandOver = 'none' | 'done' | 'no-browser'

/**
 * Hands this start over to the Keydesk that already runs on the data folder: it opens a window, or
 * quits. Throws `ForeignFolder`.
 */
export async function handOver(options: HostOptions): Promise<HandOver> {
  const { dataDir, link, quit } = options
  const open = openerOf(options)
  let opened = true
  const found = await askRunning(
    dataDir,
    quit ? { ask: 'quit' } : { ask: 'open', link },
    async (file) => (opened = await open(file)),
  )
  if (!found) return 'none'
  return opened ? 'done' : 'no-browser'
}

/** As {@link handOver}, while another Keydesk has locked the folder and may not answer yet. */
export async function handOverToStarting(options: HostOptions): Promise<HandOver> {
  if (!options.open) return 'none'
  for (let tries = 0; tries < startingTries; tries += 1) {
    const result = await handOver(options)
    if (result !== 'none') return result
    await wait(startingPauseMs)
  }
  return 'none'
}
