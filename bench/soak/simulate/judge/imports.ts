import { attempt } from '../../sync/day.ts'
import { until } from './trial.ts'
import type { Trial } from './trial.ts'
import type { WithdrawnKeys } from './withdrawals.ts'

const undoing = ['queued', 'pausing', 'withdrawing', 'planning', 'returning', 'restoring']

/** Discards drafts, as people do with files that they never sent, and waits for the others. */
export async function finishImports(trial: Trial): Promise<void> {
  const { ask, seller: accountId } = trial
  for (const { importId, state } of await ask.imports.list({ accountId }))
    if (state === 'draft') await ask.imports.discard({ importId })
  await until(trial, 'an import', async () => {
    for (const { importId, state } of await ask.imports.list({ accountId })) {
      if (state === 'stopped' || state === 'paused') await attempt(ask.imports.resume({ importId }))
      if (state !== 'done') return false
      const { undos } = await ask.imports.report({ importId })
      for (const { offerId, state: undo } of undos)
        if (undo === 'stopped') await attempt(ask.imports.undo({ importId, offerId }))
      if (undos.some((undo) => undo.state === 'stopped' || undoing.includes(undo.state)))
        return false
    }
    return true
  })
}

/** Each key of an import is on its offer once, or sold; in the vault after an undo; or nowhere. */
export async function judgeImports(
  { ask, seller: accountId, book, world, note }: Trial,
  withdrawn: WithdrawnKeys,
): Promise<void> {
  const reports = new Map<string, Awaited<ReturnType<typeof ask.imports.report>>>()
  const sums = new Map<string, Awaited<ReturnType<typeof ask.imports.get>>>()
  for (const { importId } of await ask.imports.list({ accountId })) {
    const report = await ask.imports.report({ importId })
    const name = report.files[0]?.name ?? ''
    reports.set(name, report)
    sums.set(name, await ask.imports.get({ importId }))
  }
  for (const { fileName, keys, repeated, broken } of book.imports) {
    const report = reports.get(fileName)
    const counts = sums.get(fileName)?.sums
    if (counts !== undefined && (counts.duplicate !== repeated || counts.refused !== broken))
      note({ kind: 'wrong', what: `${fileName} counts ${JSON.stringify(counts)}` })
    for (const [offerId, expected] of keys) {
      const undo = report?.undos.find((each) => each.offerId === offerId)
      const kept = new Set(withdrawn.get(offerId))
      const told = sums.get(fileName)?.offers.find((each) => each.offerId === offerId)
      if (told !== undefined && told.added !== expected.length)
        note({ kind: 'wrong', what: `${fileName} added ${told.added} of ${expected.length}` })
      for (const key of expected) {
        const units = world.unitsOf(offerId, key)
        const present = units.filter(({ state }) => state !== 'withdrawn')
        const places = present.length + Number(kept.has(key))
        if (report === undefined ? units.length > 0 : places !== 1)
          note({
            kind: report === undefined ? 'wrong' : places === 0 ? 'lost' : 'twice',
            what: `${key} of ${fileName} is at ${places} places`,
          })
        if (units.some((unit) => unit.offerId !== offerId))
          note({ kind: 'wrong', what: `${key} of ${fileName} is on another offer` })
        if (undo?.state === 'done' && present.some(({ state }) => state === 'in_stock'))
          note({ kind: 'wrong', what: `${key} of ${fileName} is for sale after its undo` })
      }
    }
  }
}
