import { Switch } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { IconBolt, IconFlask, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { PriceRule, RuleMode } from '../../../contract/price-rules.ts'
import type { PreviewLine, RuleConflict, RuleView } from '../../../contract/price-watch.ts'
import { useAccount } from '../../lib/current-account.ts'
import { problemOf } from '../../lib/problem.ts'
import { api } from '../../lib/rpc.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CountTabs } from '../../ui/count-tabs.tsx'
import { formatCents, formatClock, formatCount } from '../../ui/format.ts'
import { Mark } from '../../ui/mark.tsx'
import { StatusTag } from '../../ui/status-tag.tsx'
import { useShortcut } from '../../ui/shortcuts.ts'
import { toast, toastProblem } from '../../ui/toasts.tsx'
import styles from './price-watch.module.css'
import { RuleSentence } from './rule-sentence.tsx'
import { conflictWords, differences, reasonWords } from './words.ts'

export interface RuleEditorProps {
  /** Null: not saved yet. */
  ruleId: string | null
  rule: PriceRule
  stored: RuleView | null
  changed: boolean
  saving: boolean
  onChange: (rule: PriceRule) => void
  onDiscard: () => void
  onSave: () => void
  onMode: (ruleId: string, mode: RuleMode, typed: string | null) => Promise<void>
  onRemove: () => void
  /** A new rule that comes before all others. */
  first: boolean
  onAbove: () => void
}

const shownLines = 60
const sumWords = [
  ['change', 'change'],
  ['stay', 'stay'],
  ['atFloor', 'at the floor'],
  ['noCost', 'no cost'],
  ['conflict', 'in conflict'],
  ['notSelling', 'not selling'],
] as const

/**
 * One rule as a sentence, what it would do now as a sum and line by line, and its conflicts beside
 * it.
 */
export function RuleEditor({
  ruleId,
  rule,
  stored,
  changed,
  saving,
  onChange,
  onDiscard,
  onSave,
  onMode,
  onRemove,
  first,
  onAbove,
}: RuleEditorProps) {
  const account = useAccount()
  const [, go] = useLocation()
  const [only, setOnly] = useState<'changes' | 'all'>('changes')
  const [asked] = useDebouncedValue(rule, 250)
  const preview = useQuery({
    ...api.priceWatch.preview.queryOptions({
      input: {
        accountId: account.id,
        ruleId,
        rule: asked,
        first,
        changesOnly: only === 'changes',
        window: { offset: 0, limit: shownLines },
      },
    }),
    placeholderData: keepPreviousData,
  })
  const conflicts = preview.data?.conflicts ?? []
  const cantSave = conflicts.some(
    ({ kind }) => kind === 'zone-unknown' || kind === 'dates' || kind === 'raise-without-ceiling',
  )
  const canSave = (changed || ruleId === null) && !cantSave && rule.name.trim() !== '' && !saving
  useShortcut('Ctrl+S', () => {
    if (canSave) onSave()
  })
  const data = preview.data
  return (
    <>
      <section className={styles.editor} aria-label={rule.name}>
        <div className={styles.editorHead}>
          <input
            className={styles.ruleName}
            aria-label="Name of the rule"
            value={rule.name}
            maxLength={80}
            onChange={(event) => onChange({ ...rule, name: event.currentTarget.value })}
          />
          {changed || ruleId === null ? (
            <StatusTag tone="warn">
              {ruleId === null ? 'Not saved' : 'Changed, not saved'}
            </StatusTag>
          ) : null}
          <span className={styles.editorActions}>
            {changed || ruleId === null ? (
              <Button kind="quiet" onClick={onDiscard}>
                Discard
              </Button>
            ) : (
              <IconButton label="Remove this rule" onClick={onRemove}>
                <IconTrash size={16} stroke={1.6} />
              </IconButton>
            )}
            {ruleId === null ? null : (
              <Button
                icon={<IconFlask size={16} stroke={1.6} />}
                onClick={() => {
                  sessionStorage.setItem('kd-rehearse', JSON.stringify({ ruleId, rule }))
                  go('/watch/rehearsal')
                }}
              >
                Rehearse…
              </Button>
            )}
            <Button
              kind="primary"
              keys={['Ctrl', 'S']}
              disabled={!canSave}
              busy={saving}
              onClick={onSave}
            >
              Save rule
            </Button>
          </span>
        </div>
        <RuleSentence rule={rule} onChange={onChange} />
        <div className={styles.previewHead}>
          <b>If it ran now</b>
          <span>{data?.at == null ? '' : `with prices as of ${formatClock(data.at)}`}</span>
          <CountTabs
            label="Lines"
            value={only}
            onChange={setOnly}
            tabs={[
              { id: 'changes', label: 'Changes' },
              { id: 'all', label: `All ${formatCount(data?.sums.offers ?? 0)}` },
            ]}
          />
        </div>
        {data === undefined ? null : (
          <>
            <p className={styles.sum}>
              <b>{formatCount(data.sums.offers)}</b> offers{' '}
              {sumWords.map(([key, label], index) => (
                <span key={key}>
                  {index === 0 ? '=' : '+'} <i data-sum={key} />
                  <b>{formatCount(data.sums[key])}</b> {label}
                </span>
              ))}
            </p>
            <PreviewTable lines={data.lines} total={data.total} />
          </>
        )}
        {preview.isError ? <p className={styles.reason}>{problemOf(preview.error).what}</p> : null}
      </section>
      <aside className={styles.conflicts} aria-label="Conflicts">
        <h2>
          Conflicts{' '}
          {conflicts.length === 0 ? null : (
            <StatusTag tone="warn">{formatCount(conflicts.length)}</StatusTag>
          )}
        </h2>
        {conflicts.length === 0 ? (
          <p>Nothing stands in its way.</p>
        ) : (
          conflicts.map((conflict) => (
            <Conflict
              key={`${conflict.kind} ${conflict.ruleName ?? ''}`}
              conflict={conflict}
              rule={rule}
              onChange={onChange}
              onAbove={onAbove}
            />
          ))
        )}
        {stored === null || !changed ? null : (
          <section>
            <h3>Changed against the saved rule</h3>
            <dl>
              {differences(stored.rule, rule).map(({ what, from, to }) => (
                <div key={what}>
                  <dt>{what}</dt>
                  <dd>
                    {from} → <b>{to}</b>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        )}
        <section>
          <h3>Always checked again when sent</h3>
          <p>
            A second floor check, the daily limit and Stop all stand at the moment of sending,
            whatever the rule says.
          </p>
        </section>
        {stored === null ? null : <Mode stored={stored} changed={changed} onMode={onMode} />}
      </aside>
    </>
  )
}

function PreviewTable({ lines, total }: { lines: readonly PreviewLine[]; total: number }) {
  if (lines.length === 0) return <p className={styles.none}>No price would change.</p>
  return (
    <div className={styles.preview}>
      <table>
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col">Best</th>
            <th scope="col">You receive EUR</th>
            <th scope="col">Customer</th>
            <th scope="col">Floor</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.offerId} data-stays={line.targetCents === null || undefined}>
              <th scope="row" title={line.name}>
                {line.name}
              </th>
              <td>{line.bestCents === null ? '–' : formatCents(line.bestCents)}</td>
              <td>
                {line.targetCents === null ? (
                  `stays ${formatCents(line.priceCents)}`
                ) : (
                  <>
                    {formatCents(line.priceCents)} → <b>{formatCents(line.targetCents)}</b>
                  </>
                )}
              </td>
              <td>{formatCents(line.targetCustomerCents ?? line.customerCents)}</td>
              <td>{line.floorCents === null ? '–' : formatCents(line.floorCents)}</td>
              <td>
                <span>
                  <Mark
                    kind={
                      line.targetCents === null
                        ? line.reason === 'at-floor' ||
                          line.reason === 'no-cost' ||
                          line.reason === 'floor-above-ceiling'
                          ? 'warn'
                          : 'skip'
                        : 'ok'
                    }
                    size={12}
                  />
                  {reasonWords[line.reason]}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {total > lines.length ? (
        <p className={styles.reason}>and {formatCount(total - lines.length)} more</p>
      ) : null}
    </div>
  )
}

function Conflict({
  conflict,
  rule,
  onChange,
  onAbove,
}: {
  conflict: RuleConflict
  rule: PriceRule
  onChange: (rule: PriceRule) => void
  onAbove: () => void
}) {
  const [, go] = useLocation()
  const { title, text } = conflictWords(conflict)
  return (
    <section className={styles.conflict}>
      <Mark
        kind={conflict.severity === 'stop' ? 'bad' : 'warn'}
        size={13}
        label={conflict.severity === 'stop' ? 'Stops' : 'Leaves out'}
      />
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
        <span className={styles.buttons}>
          {conflict.kind === 'floor-above-ceiling' ? (
            <Button onClick={() => onChange({ ...rule, ceiling: { kind: 'none' } })}>
              No ceiling
            </Button>
          ) : null}
          {conflict.kind === 'raise-without-ceiling' ? (
            <Button onClick={() => onChange({ ...rule, leading: { act: 'stay' } })}>
              Don’t raise
            </Button>
          ) : null}
          {conflict.kind === 'no-cost' ? (
            <Button onClick={() => go('/offers')}>Enter costs…</Button>
          ) : null}
          {conflict.kind === 'rule-above' ? <Button onClick={onAbove}>Move up</Button> : null}
          {conflict.offers === 1 ? (
            <Button onClick={() => go(`/watch/market/${conflict.offerIds[0] ?? ''}`)}>
              Show it
            </Button>
          ) : null}
        </span>
      </div>
    </section>
  )
}

/** Whether the rule proposes, and apart from saving: whether it applies by itself. */
function Mode({
  stored,
  changed,
  onMode,
}: {
  stored: RuleView
  changed: boolean
  onMode: RuleEditorProps['onMode']
}) {
  const account = useAccount()
  const [asking, setAsking] = useState(false)
  const change = (mode: RuleMode): void =>
    void onMode(stored.ruleId, mode, null)
      .then(() =>
        toast({
          title: `${stored.rule.name}: ${mode === 'off' ? 'off' : 'proposes'}`,
          text: 'Nothing is sent without you.',
        }),
      )
      .catch((error: unknown) => {
        toastProblem(problemOf(error))
      })
  return (
    <section className={styles.mode}>
      <div className={styles.switch}>
        <span>
          <b>Proposes</b>
          <small>{stored.mode === 'off' ? 'Off: fits no offer' : 'You decide each price'}</small>
        </span>
        <Switch
          aria-label="The rule proposes"
          checked={stored.mode !== 'off'}
          onChange={(event) => change(event.currentTarget.checked ? 'propose' : 'off')}
        />
      </div>
      <div className={styles.switch}>
        <span>
          <b>Auto-apply</b>
          <small>
            {changed
              ? 'Save the rule first'
              : account.mode === 'live'
                ? 'LIVE: asks for the rule’s name'
                : 'Sends without you'}
          </small>
        </span>
        <Switch
          aria-label="The rule applies by itself"
          checked={stored.mode === 'auto'}
          disabled={changed}
          onChange={(event) => {
            if (event.currentTarget.checked) setAsking(true)
            else change('propose')
          }}
        />
      </div>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        account={account}
        title={`Let “${stored.rule.name}” apply by itself?`}
        confirmLabel="Apply by itself"
        typed={{ text: stored.rule.name, verb: 'let it send prices' }}
        effects={[
          {
            icon: <IconBolt size={15} stroke={1.6} aria-hidden />,
            what: `Prices of ${formatCount(stored.covers)} offers change without you,`,
            more: 'also at night',
          },
          {
            icon: <Mark kind="ok" size={13} />,
            what: 'Each is looked at once more',
            more: 'floor, ceiling, jump and fresh data, at the moment of sending',
          },
          {
            icon: <Mark kind="warn" size={13} />,
            what: 'Ctrl+. stops it',
            more: 'at once, and over a restart',
          },
        ]}
        onConfirm={async () => {
          try {
            await onMode(stored.ruleId, 'auto', stored.rule.name)
            toast({
              title: `${stored.rule.name} applies by itself`,
              text: 'Every sending stands under Decisions.',
            })
          } catch (error) {
            toastProblem(problemOf(error))
            throw error
          }
        }}
      />
    </section>
  )
}
