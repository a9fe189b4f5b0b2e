import type { Problem } from '../../../contract/base.ts'
import type { Cents } from '../../../../server/api/money.ts'
import type { Import } from '../../../contract/keys/import-records.ts'
import { Failure } from '../../failure.ts'
import type { Scope } from '../../lifecycle/lifecycle.ts'
import type { KeyImportContext } from '../context.ts'
import { noTotals } from '../draft-store.ts'
import type { FileRow } from '../draft-store.ts'
import { runInWorker } from './worker-runner.ts'
import type { KeyCheckResult, KeyCheckTask } from './key-check-task.ts'
import type { TaskFile } from '../parse/read-task.ts'
import { importFileRecord } from '../schema.ts'
import type { OwnOffer } from '../classify/targets.ts'
import type { AccountImports } from '../upload/upload-run.ts'
import { CHECKED_FORMAT } from '../spool/checked-lines.ts'
import type { FileChoices, FileResult } from '../view/file-view.ts'
import { diskFull, isOutOfMemory, tooDemanding } from '../parse/unreadable.ts'

export type OwnOffers = {
  /** Whether `keys` has been complete at least once. */
  isListed(accountId: string): boolean
  keys(accountId: string): OwnOffer[]
  /** What a unit of an offer cost; null if not entered. */
  costOf(accountId: string, offerId: string): Cents | null
}

/**
 * Reads and writes the sealed data of a file; reading returns null if there is none or the vault is
 * locked.
 */
export function createSealedFacts(context: KeyImportContext, accountId: string) {
  const open = <Value>(
    sealed: Buffer | null,
    fileId: string,
    what: 'result' | 'choices',
  ): Value | null => {
    if (sealed === null) return null
    try {
      return JSON.parse(
        context.vault.open(accountId, importFileRecord(fileId, what), sealed).toString('utf8'),
      ) as Value
    } catch (error) {
      if (error instanceof Failure) return null
      throw error
    }
  }
  const seal = (value: object, fileId: string, what: 'result' | 'choices'): Buffer =>
    context.vault.seal(
      accountId,
      importFileRecord(fileId, what),
      Buffer.from(JSON.stringify(value)),
    )
  return {
    result: (row: FileRow): FileResult | null =>
      open<FileResult>(row.result, row.file_id, 'result'),
    choices: (row: FileRow): FileChoices | null =>
      open<FileChoices>(row.choices, row.file_id, 'choices'),
    sealResult: (fileId: string, result: FileResult): Buffer => seal(result, fileId, 'result'),
    sealChoices: (fileId: string, choices: FileChoices): Buffer => seal(choices, fileId, 'choices'),
  }
}

/**
 * A worker task for the completely received files of an import. Throws Failure `VAULT_LOCKED` if
 * the vault is locked.
 */
export function taskFor(
  context: KeyImportContext,
  session: AccountImports,
  importId: string,
  rows: readonly FileRow[],
  offers: OwnOffers,
  kind: KeyCheckTask['kind'],
): KeyCheckTask {
  const { accountId } = session
  context.vault.assertUnlocked()
  const facts = createSealedFacts(context, accountId)
  const files = rows
    .filter(({ state }) => state === 'checking' || state === 'checked')
    .map((row): TaskFile => {
      const choices = facts.choices(row)
      const read = row.state === 'checked' ? (facts.result(row)?.read ?? null) : null
      return {
        fileId: row.file_id,
        position: row.position,
        name: row.name,
        fixed: choices?.fixed ?? {},
        offerId: row.offer_id,
        chosen: choices?.chosen ?? [],
        included: choices?.included ?? [],
        read: read?.format === CHECKED_FORMAT ? read : null,
        pictures: choices?.pictures ?? null,
      }
    })
  return {
    kind,
    accountId,
    importId,
    folder: session.folder(importId),
    journal: context.mirrors.journalPath(accountId),
    ...context.vault.material(),
    offers: offers.keys(accountId),
    sendsRepeats: session.drafts.sendsRepeats(importId),
    files,
  }
}

const compared = ['ready', 'noOffer', 'duplicate', 'refused', 'setAside'] as const
/** Whether lines have another outcome than before. */
export const hasChanged = (before: Import['sums'], after: Import['sums']): boolean =>
  compared.some((outcome) => before[outcome] !== after[outcome])

/**
 * Checks drafts in a worker, one check at a time per draft. A request during a running check starts
 * another one after it.
 */
export function createChecks(
  context: KeyImportContext,
  offers: OwnOffers,
  sessionOf: (accountId: string) => AccountImports,
  scopeOf: (accountId: string) => Scope,
  changed: (accountId: string, importId: string) => void,
  sumsBefore: Map<string, Import['sums']>,
) {
  type Turn = { running: Promise<void>; next: Promise<void> | null; scope: Scope }
  const turns = new Map<string, Turn>()
  const path = (): string => context.host.workerPath('key-check')

  async function run(accountId: string, importId: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return
    const session = sessionOf(accountId)
    const draft = session.drafts.find(importId)
    if (draft === undefined || draft.state !== 'draft') return
    const rows = session.drafts.files(draft.number)
    const revisions = new Map(rows.map((row) => [row.file_id, row.revision]))
    const toRead = rows.filter(({ state }) => state === 'checking')
    const job = (lines: number): void =>
      context.jobs.set({
        id: `check ${importId}`,
        kind: 'key-check',
        accountId,
        title: 'Key check',
        state: 'running',
        done: lines,
        total: null,
        leftMs: null,
      })
    let result: KeyCheckResult
    try {
      const task = taskFor(context, session, importId, rows, offers, 'check')
      if (task.files.length === 0) return session.drafts.setTotals(draft.number, noTotals, [])
      if (toRead.length > 0) job(0)
      result = await runInWorker(path(), task, signal, job)
    } catch (error) {
      // The vault was locked or the check was stopped: the files stay unread until the vault opens
      // or the draft is discarded.
      if (error instanceof Failure) return
      const problem: Problem = context.diskSpace.isCausedBy(error)
        ? diskFull
        : isOutOfMemory(error)
          ? tooDemanding
          : context.report('imports check', error)
      for (const row of toRead)
        session.drafts.settleFile(row.file_id, row.revision, { problem, lines: 0, result: null })
      return
    } finally {
      context.jobs.end(`check ${importId}`)
    }
    if (signal.aborted || session.drafts.find(importId)?.state !== 'draft') return
    const facts = createSealedFacts(context, accountId)
    session.drafts.transaction(() => {
      for (const { fileId, problem, read, targets, counts } of result.files) {
        session.drafts.settleFile(fileId, revisions.get(fileId) ?? -1, {
          problem,
          lines: read?.lines ?? 0,
          result: read === null ? null : facts.sealResult(fileId, { read, targets, counts }),
        })
      }
      session.drafts.setTotals(draft.number, result.classified.sums, result.classified.problems)
      session.drafts.setPurchases(draft.number, result.purchases)
    })
  }

  /**
   * Starts a check, or queues one after the running check. Resolves when a check that started after
   * the call has finished.
   */
  function check(accountId: string, importId: string): Promise<void> {
    const files = scopeOf(accountId)
    const begin = (): Promise<void> => {
      const scope = files.child()
      const turn: Turn = { running: Promise.resolve(), next: null, scope }
      turns.set(importId, turn)
      turn.running = scope
        .spawn(run(accountId, importId, scope.signal))
        // The vault was locked just as the check finished: it starts again when the vault opens.
        .catch((error: unknown) => {
          if (!(error instanceof Failure)) context.report('imports check', error)
        })
        .finally(() => {
          void scope.end()
          if (turns.get(importId) === turn && turn.next === null) turns.delete(importId)
          changed(accountId, importId)
        })
      return turn.running
    }
    const turn = turns.get(importId)
    if (turn === undefined) return begin()
    turn.next ??= turn.running.then(begin)
    return turn.next
  }

  /** How often the user changed each draft. */
  const changes = new Map<string, number>()
  const totalsOf = (accountId: string, importId: string): Import['sums'] | null => {
    const row = sessionOf(accountId).drafts.find(importId)
    // Trusts the JSON because this feature stored it itself.
    return row?.state === 'draft'
      ? { ...noTotals, ...(JSON.parse(row.sums) as Partial<Import['sums']>) }
      : null
  }

  return {
    /** Checks a draft after the user changed it. */
    check(accountId: string, importId: string): Promise<void> {
      sumsBefore.delete(importId)
      changes.set(importId, (changes.get(importId) ?? 0) + 1)
      return check(accountId, importId)
    },
    /** Checks a draft again, and keeps its totals as they were if they changed without the user. */
    async recheck(accountId: string, importId: string): Promise<void> {
      const before = totalsOf(accountId, importId)
      const known = changes.get(importId)
      await check(accountId, importId)
      const after = totalsOf(accountId, importId)
      if (before === null || after === null || changes.get(importId) !== known) return
      if (hasChanged(before, after) && !sumsBefore.has(importId)) {
        sumsBefore.set(importId, before)
        changed(accountId, importId)
      }
    },
    /** Stops the running check and discards its result. */
    async stop(importId: string): Promise<void> {
      for (let turn = turns.get(importId); turn !== undefined; turn = turns.get(importId)) {
        void turn.scope.end()
        await (turn.next ?? turn.running)
      }
    },
    /** Stops a check whose result is outdated so that the next one can start. */
    interrupt: (importId: string): void => void turns.get(importId)?.scope.end(),
    /**
     * Runs another worker task, such as the plan. Throws Failure `DISK_FULL` if the disk has no
     * space for its output.
     */
    async work(task: KeyCheckTask): Promise<KeyCheckResult> {
      try {
        return await runInWorker(path(), task, new AbortController().signal, () => {})
      } catch (error) {
        throw context.diskSpace.isCausedBy(error)
          ? new Failure({
              ...diskFull,
              effect: 'Nothing was sent.',
              next: 'Free up some disk space and try again.',
            })
          : error
      }
    },
  }
}
