import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { IconFlask, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { PriceRule } from '../../../../contract/price-watch/price-rules.ts'
import type {
  RuleConflict,
  RuleView,
} from '../../../../contract/price-watch/price-watch-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { NotRead } from '../../../ui/feedback/not-read.tsx'
import { ProblemNotice } from '../../../ui/feedback/problem-notice.tsx'
import { api } from '../../../lib/core/rpc.ts'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { CountTabs } from '../../../ui/layout/count-tabs.tsx'
import { formatClock, formatCount } from '../../../ui/format.ts'
import { Mark } from '../../../ui/data-display/identity/mark.tsx'
import { StatusTag } from '../../../ui/data-display/status-tag.tsx'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import shared from '../price-watch.module.css'
import styles from './rules.module.css'
import { RuleModeSwitches } from './rule-mode.tsx'
import type { SetMode } from './rule-mode.tsx'
import { RulePreview } from './rule-preview.tsx'
import { RuleSentence } from './rule-sentence.tsx'
import { describeConflict, differences } from '../price-watch-texts.ts'

export interface RuleEditorProps {
  /** Null: not saved. */
  ruleId: string | null
  rule: PriceRule
  stored: RuleView | null
  changed: boolean
  saving: boolean
  onChange: (rule: PriceRule) => void
  onDiscard: () => void
  onSave: () => void
  onMode: SetMode
  onRemove: () => void
  /** Whether a new rule is placed before all others. */
  first: boolean
  onAbove: () => void
}

const shownLines = 60
const sumWords = [
  ['change', 'change'],
  ['stay', 'stay'],
  ['atFloor', 'at floor'],
  ['noCost', 'no cost'],
  ['conflict', 'conflicting'],
  ['notSelling', 'not selling'],
] as const
type Shown = 'changes' | 'all'

/** The effect of a rule as it is typed, if it ran now, and its conflicts. */
function usePreview({ ruleId, rule, first }: RuleEditorProps) {
  const { id: accountId } = useAccount()
  const [shown, setShown] = useState<Shown>('changes')
  const [asked] = useDebouncedValue(rule, 250)
  const preview = useQuery({
    ...api.priceWatch.preview.queryOptions({
      input: {
        accountId,
        ruleId,
        rule: asked,
        first,
        changesOnly: shown === 'changes',
        window: { offset: 0, limit: shownLines },
      },
    }),
    placeholderData: keepPreviousData,
  })
  return {
    data: preview.data,
    problem: preview.isError ? problemOf(preview.error) : null,
    conflicts: preview.data?.conflicts,
    query: preview,
    shown,
    setShown,
  }
}

/** Editor of a rule: the rule as a sentence, a preview with totals and lines, and its conflicts. */
export function RuleEditor(props: RuleEditorProps) {
  const { ruleId, rule, stored, changed, saving, onChange, onSave } = props
  const preview = usePreview(props)
  const cantSave = preview.conflicts?.some(
    ({ kind }) => kind === 'zone-unknown' || kind === 'dates' || kind === 'raise-without-ceiling',
  )
  const canSave = (changed || ruleId === null) && !cantSave && rule.name.trim() !== '' && !saving
  const editor = useRef<HTMLElement>(null)
  useShortcut('Ctrl+S', () => {
    if (!canSave) return
    // A field keeps its last valid value while another one is typed in it.
    const wrong = editor.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? null
    if (wrong === null) return onSave()
    wrong.focus()
    toast({
      kind: 'behind',
      title: 'Rule not saved',
      text: `${rule.name}: correct the field in red, then save again.`,
    })
  })
  return (
    <>
      <section ref={editor} className={styles.editor} aria-label={rule.name}>
        <div className={styles.editorHead}>
          <input
            className={styles.ruleName}
            aria-label="Rule name"
            value={rule.name}
            maxLength={80}
            onChange={(event) => onChange({ ...rule, name: event.currentTarget.value })}
          />
          {changed || ruleId === null ? (
            <StatusTag tone="warn">{ruleId === null ? 'Not saved' : 'Unsaved changes'}</StatusTag>
          ) : null}
          <EditorActions {...props} canSave={canSave} />
        </div>
        <RuleSentence rule={rule} onChange={onChange} />
        <PreviewSection preview={preview} />
      </section>
      <aside className={styles.conflicts} aria-label="Conflicts">
        <Conflicts
          conflicts={preview.conflicts}
          query={preview.query}
          rule={rule}
          onChange={onChange}
          onAbove={props.onAbove}
        />
        {stored === null || !changed ? null : <UnsavedChanges stored={stored.rule} rule={rule} />}
        <section>
          <h3>Always checked again before sending</h3>
          <p>
            A second floor check, the daily limit and Stop all apply when a price is sent, whatever
            the rule says.
          </p>
        </section>
        {stored === null ? null : (
          <RuleModeSwitches stored={stored} changed={changed} onMode={props.onMode} />
        )}
      </aside>
    </>
  )
}

/** Discard or remove, simulate, and save. */
function EditorActions({
  ruleId,
  rule,
  changed,
  saving,
  canSave,
  onDiscard,
  onRemove,
  onSave,
}: RuleEditorProps & { canSave: boolean }) {
  const [, go] = useLocation()
  const simulate = (): void => {
    sessionStorage.setItem('kd-simulate', JSON.stringify({ ruleId, rule }))
    go('/watch/rehearsal')
  }
  return (
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
        <Button icon={<IconFlask size={16} stroke={1.6} />} onClick={simulate}>
          Simulate…
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
  )
}

function PreviewSection({
  preview: { data, problem, query, shown, setShown },
}: {
  preview: ReturnType<typeof usePreview>
}) {
  return (
    <>
      <div className={styles.previewHead}>
        <b>If it ran now</b>
        <span>{data?.at == null ? '' : `with prices as of ${formatClock(data.at)}`}</span>
        <CountTabs
          label="Lines"
          value={shown}
          onChange={setShown}
          tabs={[
            { id: 'changes', label: 'Changes' },
            { id: 'all', label: `All ${formatCount(data?.sums.offers ?? 0)}` },
          ]}
        />
      </div>
      {data === undefined ? (
        <NotRead query={query} padded />
      ) : (
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
          <RulePreview lines={data.lines} total={data.total} />
          {problem === null ? null : <ProblemNotice problem={problem} />}
        </>
      )}
    </>
  )
}

function UnsavedChanges({ stored, rule }: { stored: PriceRule; rule: PriceRule }) {
  return (
    <section>
      <h3>Changes since the last save</h3>
      <dl>
        {differences(stored, rule).map(({ what, from, to }) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {from} → <b>{to}</b>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function Conflicts({
  conflicts,
  query,
  ...actions
}: {
  /** Undefined: not read yet. */
  conflicts: readonly RuleConflict[] | undefined
  query: UseQueryResult
  rule: PriceRule
  onChange: (rule: PriceRule) => void
  onAbove: () => void
}) {
  return (
    <>
      <h2>
        Conflicts{' '}
        {conflicts === undefined || conflicts.length === 0 ? null : (
          <StatusTag tone="warn">{formatCount(conflicts.length)}</StatusTag>
        )}
      </h2>
      {conflicts === undefined ? (
        query.isError ? (
          <p>Not checked, because the preview failed.</p>
        ) : (
          <NotRead query={query} />
        )
      ) : conflicts.length === 0 ? (
        <p>No conflicts.</p>
      ) : (
        conflicts.map((conflict) => (
          <Conflict
            key={`${conflict.kind} ${conflict.ruleName ?? ''}`}
            conflict={conflict}
            {...actions}
          />
        ))
      )}
    </>
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
  const { title, text } = describeConflict(conflict)
  return (
    <section className={styles.conflict}>
      <Mark
        kind={conflict.severity === 'stop' ? 'bad' : 'warn'}
        size={13}
        label={conflict.severity === 'stop' ? 'Stops' : 'Leaves offers out'}
      />
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
        <span className={shared.buttons}>
          {conflict.kind === 'floor-above-ceiling' ? (
            <Button onClick={() => onChange({ ...rule, ceiling: { kind: 'none' } })}>
              Remove ceiling
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
              View offer
            </Button>
          ) : null}
        </span>
      </div>
    </section>
  )
}
