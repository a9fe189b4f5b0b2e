import { IconWand } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { memo } from 'react'
import { setAsideReasonSchema } from '../../../contract/keys/import-records.ts'
import type { Import, SetAsideReason } from '../../../contract/keys/import-records.ts'
import { t } from '../../../contract/localization/localized.ts'
import { problemOf } from '../../lib/core/problem.ts'
import { api } from '../../lib/core/rpc.ts'
import { openVault } from '../../lib/vault-gate.ts'
import { LinkButton } from '../../ui/controls/buttons/button.tsx'
import { formatCount } from '../../ui/format.ts'
import { Mark } from '../../ui/data-display/identity/mark.tsx'
import { toastProblem } from '../../ui/feedback/toasts.tsx'
import styles from './key-import.module.css'
import { Purchases } from './purchases.tsx'
import { outcomeLabel, isCleaning, reasonLabels } from './labels.ts'

type Found = Import['problems'][number]

type Shown = Pick<Import, 'importId' | 'state' | 'sendsRepeats'> & { isOneFile: boolean }

/**
 * The issues in all files: reason, count, the outcome of the affected lines, and the first of them.
 */
export function Issues({
  work: { importId, state, sendsRepeats, files, problems, sums, purchases },
}: {
  work: Import
}) {
  return (
    <IssueList
      importId={importId}
      state={state}
      sendsRepeats={sendsRepeats}
      isOneFile={files.length === 1}
      problems={problems}
      read={sums.read}
      purchases={purchases}
    />
  )
}

/** Memoized so that it renders only when the issues change, not for every received chunk. */
const IssueList = memo(function ProblemList({
  problems,
  read,
  purchases,
  ...shown
}: Shown & {
  problems: readonly Found[]
  read: number
  purchases: Import['purchases']
}) {
  return (
    // The list scrolls and often contains nothing focusable, so the keyboard needs a tab stop.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles.problems} aria-label="Issues" tabIndex={0}>
      <h2>
        Issues<span>in all files</span>
      </h2>
      {problems.length === 0 ? (
        <p className={styles.nothing}>
          {read === 0 ? 'No lines checked yet.' : 'No issues. Every line is fine.'}
        </p>
      ) : null}
      <ul>
        {problems.map((found) => (
          <IssueRow
            key={`${found.reason}-${found.fate}-${found.usual?.platform ?? ''}`}
            found={found}
            {...shown}
          />
        ))}
      </ul>
      <Purchases purchases={purchases} isOver={shown.state !== 'draft'} />
    </section>
  )
})

/**
 * Lets the user send keys that were uploaded before, because a withdrawn key can be uploaded again.
 */
function Repeats({ importId, sendsRepeats }: Pick<Shown, 'importId' | 'sendsRepeats'>) {
  const set = useMutation(
    api.imports.setRepeats.mutationOptions({
      onError: (error) => toastProblem(problemOf(error), null),
    }),
  )
  const toggle = (): void => {
    void openVault().then(
      (opened) => {
        if (opened) set.mutate({ importId, send: !sendsRepeats })
      },
      (error: unknown) => toastProblem(problemOf(error), null),
    )
  }
  return (
    <div>
      <LinkButton disabled={set.isPending} onClick={toggle}>
        {sendsRepeats ? 'Skip keys uploaded before' : 'Send them anyway'}
      </LinkButton>
    </div>
  )
}

/** Sends the lines that were set aside for a reason anyway, or sets them aside again. */
function Include({
  importId,
  found,
  reason,
}: Pick<Shown, 'importId'> & { found: Found; reason: SetAsideReason }) {
  const set = useMutation(
    api.imports.include.mutationOptions({
      onError: (error) => toastProblem(problemOf(error), null),
    }),
  )
  const include = found.fate === 'set-aside'
  const toggle = (): void => {
    void openVault().then(
      (opened) => {
        if (opened) set.mutate({ importId, reason, include })
      },
      (error: unknown) => toastProblem(problemOf(error), null),
    )
  }
  return (
    <div>
      <LinkButton disabled={set.isPending} onClick={toggle}>
        {include ? t('screens.imports-include', { count: found.count }) : 'Set aside again'}
      </LinkButton>
    </div>
  )
}

function IssueRow({ found, importId, state, sendsRepeats, isOneFile }: Shown & { found: Found }) {
  const words = reasonLabels[found.reason]
  const isShown = found.fate === 'refused' || found.fate === 'set-aside'
  const shown = isShown ? found.examples.slice(0, 3) : []
  const setAside = setAsideReasonSchema.safeParse(found.reason).data ?? null
  return (
    <li>
      <span className={styles.problemIcon}>
        {isCleaning(found.reason) ? (
          <IconWand size={15} stroke={1.6} aria-hidden />
        ) : (
          <Mark
            kind={found.fate === 'refused' ? 'bad' : found.fate === 'duplicate' ? 'skip' : 'warn'}
            size={15}
          />
        )}
      </span>
      <div className={styles.problemText}>
        <div>
          <b>{found.usual === null ? words.title : `${words.title} for ${found.usual.platform}`}</b>
          <b>{formatCount(found.count)}</b>
        </div>
        <div>
          <span>
            {found.reason === 'no-offer' && state !== 'draft'
              ? 'Drop the file again to send them'
              : found.usual === null
                ? words.text
                : `Expected ${found.usual.shapes.join(' or ')}`}
          </span>
          <span>{outcomeLabel(found, state)}</span>
        </div>
        {state === 'draft' &&
        (found.reason === 'uploaded-before' || found.reason === 'on-another-offer') ? (
          <Repeats importId={importId} sendsRepeats={sendsRepeats} />
        ) : null}
        {state === 'draft' &&
        setAside !== null &&
        (found.fate === 'set-aside' || found.isIncluded) ? (
          <Include importId={importId} found={found} reason={setAside} />
        ) : null}
        {shown.length === 0 ? null : (
          <table className={styles.examples}>
            <tbody>
              {shown.map((example) => (
                <tr key={`${example.file}-${example.line}`}>
                  <td>
                    {isOneFile
                      ? formatCount(example.line)
                      : `${formatCount(example.line)} · ${example.file}`}
                  </td>
                  <td className="kd-mono">
                    {found.reason === 'blank' || example.shown === '' ? '(empty)' : example.shown}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </li>
  )
}
