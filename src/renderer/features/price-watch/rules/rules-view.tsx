import { t } from '../../../../contract/localization/localized.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { newRuleDefaults } from '../../../../contract/price-watch/price-rules.ts'
import type { PriceRule } from '../../../../contract/price-watch/price-rules.ts'
import type { RuleView } from '../../../../contract/price-watch/price-watch-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { Button, IconButton } from '../../../ui/controls/buttons/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { KeyCap } from '../../../ui/controls/buttons/key-cap.tsx'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import styles from './rules.module.css'
import { NEW_RULE, setComesFirst, setDraft, useRuleDrafts } from './rule-drafts.ts'
import { undoSave } from './rule-changes.ts'
import { RuleEditor } from './rule-editor.tsx'
import type { SetMode } from './rule-mode.tsx'
import { describeDates, modeTexts, summarizeRule } from '../price-watch-texts.ts'

/**
 * The list of rules, where the first match wins, and the editor of one rule with its preview and
 * conflicts.
 */
export function RulesView({
  ruleId,
  onChoose,
}: {
  ruleId: string | null
  onChoose: (ruleId: string | null) => void
}) {
  const account = useAccount()
  const client = useQueryClient()
  const key = api.priceWatch.rules.queryOptions({ input: { accountId: account.id } })
  const query = useQuery(key)
  const rules = query.data
  const { drafts, comesFirst } = useRuleDrafts(account.id)
  const draftRule = (id: string, rule: PriceRule | null): void => setDraft(account.id, id, rule)
  const onError = (error: unknown): void => {
    toastProblem(problemOf(error))
  }
  const refresh = (): void => void client.invalidateQueries({ queryKey: api.priceWatch.key() })
  const take = (views: RuleView[]): void => {
    client.setQueryData(key.queryKey, views)
  }
  const order = useMutation({
    mutationFn: (ruleIds: string[]) =>
      rpc.priceWatch.orderRules({ accountId: account.id, ruleIds }),
    onSuccess: take,
    onError,
  })
  const save = useMutation({
    mutationFn: ({ id, rule }: { id: string; rule: PriceRule }) =>
      rpc.priceWatch.saveRule({
        accountId: account.id,
        ruleId: id === NEW_RULE ? null : id,
        rule,
        first: id === NEW_RULE && comesFirst,
      }),
    onError,
  })
  const remove = useMutation({
    mutationFn: (id: string) => rpc.priceWatch.removeRule({ accountId: account.id, ruleId: id }),
    onSuccess: (views) => {
      take(views)
      onChoose(views[0]?.ruleId ?? null)
      toast({
        title: 'Rule removed',
        text: 'Its proposals were removed. No price changed.',
        final: 'Create the rule again',
      })
    },
    onError,
  })
  const setMode: SetMode = async (id, mode, confirmed) => {
    take(await rpc.priceWatch.setMode({ accountId: account.id, ruleId: id, mode, ...confirmed }))
  }

  const first = rules?.[0]?.ruleId ?? null
  const hasNew = drafts.has(NEW_RULE)
  const isRead = rules !== undefined
  useEffect(() => {
    const start = first ?? (hasNew ? NEW_RULE : null)
    if (ruleId === null && isRead && start !== null) onChoose(start)
  }, [ruleId, first, hasNew, isRead, onChoose])
  const stored = rules?.find((rule) => rule.ruleId === ruleId) ?? null
  const draft = ruleId === null ? undefined : drafts.get(ruleId)
  const shown = draft ?? stored?.rule
  // A new rule comes last. A rule for a single offer comes first; otherwise a general rule would
  // take precedence.
  const begin = (): void => {
    setComesFirst(account.id, false)
    draftRule(NEW_RULE, { ...newRuleDefaults, name: `Rule ${(rules?.length ?? 0) + 1}` })
    onChoose(NEW_RULE)
  }
  const beginFor = useRef<(offerId: string) => Promise<void>>(async () => {})
  beginFor.current = async (offerId) => {
    const own = rules?.find(
      ({ rule: { scope } }) =>
        scope.kind === 'offers' && scope.offerIds.length === 1 && scope.offerIds[0] === offerId,
    )
    if (own !== undefined) return onChoose(own.ruleId)
    const {
      offers: [offer],
    } = await rpc.priceWatch.choices({ accountId: account.id, offerIds: [offerId] })
    setComesFirst(account.id, true)
    draftRule(NEW_RULE, {
      ...newRuleDefaults,
      name: (offer?.name ?? offerId).slice(0, 80),
      scope: { kind: 'offers', offerIds: [offerId] },
    })
    onChoose(NEW_RULE)
  }
  const [asked] = useSearchParams()
  const forOffer = asked.get('offer')
  // The address of a draft that was saved, discarded or lost leads to the list of rules.
  const isGone = useRef(ruleId === NEW_RULE && forOffer === null && draft === undefined)
  useEffect(() => {
    if (isGone.current) onChoose(null)
    isGone.current = false
  }, [onChoose])
  useEffect(() => {
    if (forOffer !== null && isRead)
      void beginFor.current(forOffer).catch((error: unknown) => {
        toastProblem(problemOf(error))
      })
  }, [forOffer, isRead])
  const move = (by: 1 | -1): void => {
    const ids = (rules ?? []).map((rule) => rule.ruleId)
    const at = ids.indexOf(ruleId ?? '')
    const other = ids[at + by]
    if (at < 0 || other === undefined) return
    ids[at + by] = ids[at] ?? ''
    ids[at] = other
    order.mutate(ids)
  }
  useShortcut('N', begin)
  useShortcut('Alt+ArrowUp', () => move(-1))
  useShortcut('Alt+ArrowDown', () => move(1))

  if (rules === undefined)
    return query.isError ? (
      <ErrorState problem={problemOf(query.error)} onRetry={() => void query.refetch()} />
    ) : null
  if (rules.length === 0 && draft === undefined) {
    return (
      <EmptyState
        title="No rules yet"
        text="A rule defines how far a price can follow the best price, and where it stops. It proposes; you decide."
        actions={
          <Button
            kind="primary"
            autoFocus
            icon={<IconPlus size={16} stroke={1.6} />}
            keys={['N']}
            onClick={begin}
          >
            New rule
          </Button>
        }
        steps={[
          { title: 'Choose what it does', text: 'Match or undercut, and raise when leading.' },
          { title: 'Set its limits', text: 'Based on your cost or an amount.' },
          { title: 'See what it would do', text: 'Before anything is saved or sent.' },
        ]}
      />
    )
  }
  const drafted = (place: number) =>
    drafts.has(NEW_RULE) ? (
      <li>
        <button
          type="button"
          className={styles.rule}
          aria-current={ruleId === NEW_RULE || undefined}
          onClick={() => onChoose(NEW_RULE)}
        >
          <i>{place}</i>
          <span>
            <b>{drafts.get(NEW_RULE)?.name}</b>
            <small>Not saved</small>
          </span>
        </button>
      </li>
    ) : null
  return (
    <div className={styles.rules}>
      <nav className={styles.ruleList} aria-label="Rules, first match wins">
        <div className={styles.ruleHead}>
          <b>Rules</b>
          <span>first match wins</span>
          <IconButton label="New rule" onClick={begin}>
            <IconPlus size={16} stroke={1.6} />
          </IconButton>
        </div>
        <ol>
          {comesFirst ? drafted(1) : null}
          {rules.map((rule, index) => (
            <RuleItem
              key={rule.ruleId}
              rule={rule}
              place={index + (drafts.has(NEW_RULE) && comesFirst ? 2 : 1)}
              on={rule.ruleId === ruleId}
              draft={drafts.has(rule.ruleId)}
              onClick={() => onChoose(rule.ruleId)}
            />
          ))}
          {comesFirst ? null : drafted(rules.length + 1)}
        </ol>
        <div className={styles.ruleFoot}>
          <KeyCap name="Alt" />
          <KeyCap name="↑" /> move up <KeyCap name="Alt" />
          <KeyCap name="↓" /> move down
        </div>
      </nav>
      {shown === undefined || ruleId === null ? null : (
        <RuleEditor
          key={ruleId}
          ruleId={ruleId === NEW_RULE ? null : ruleId}
          rule={shown}
          stored={stored}
          changed={draft !== undefined}
          saving={save.isPending}
          onChange={(rule) => draftRule(ruleId, rule)}
          onDiscard={() => {
            draftRule(ruleId, null)
            if (ruleId === NEW_RULE) onChoose(first)
          }}
          onSave={() =>
            save.mutate(
              { id: ruleId, rule: shown },
              {
                onSuccess: (saved) => {
                  draftRule(ruleId, null)
                  refresh()
                  onChoose(saved.ruleId)
                  toast({
                    ...undoSave(account.id, stored, saved, refresh),
                    title: `${saved.rule.name} saved`,
                    text:
                      saved.mode === 'off'
                        ? 'It’s off. Turn on Proposes when you’re ready.'
                        : stored?.mode === 'auto' && saved.mode !== 'auto'
                          ? 'It proposes again. Turn auto-apply back on when you’re ready.'
                          : decidesFrom(describeDates(saved.rule, Date.now())),
                  })
                },
              },
            )
          }
          onMode={setMode}
          onRemove={() => remove.mutate(ruleId)}
          first={comesFirst}
          onAbove={() => {
            if (ruleId === NEW_RULE) setComesFirst(account.id, true)
            else move(-1)
          }}
        />
      )}
    </div>
  )
}

const decidesFrom = (dates: string | null): string =>
  dates === null
    ? 'The new version applies from now on.'
    : dates.startsWith('from')
      ? `The new version applies ${dates}.`
      : 'This rule has expired and does nothing.'

function RuleItem({
  rule,
  place,
  on,
  draft,
  onClick,
}: {
  rule: RuleView
  place: number
  on: boolean
  draft: boolean
  onClick: () => void
}) {
  const dates = rule.mode === 'off' ? null : describeDates(rule.rule, Date.now())
  return (
    <li>
      <button
        type="button"
        className={styles.rule}
        aria-current={on || undefined}
        onClick={onClick}
      >
        <i>{place}</i>
        <span>
          <b title={rule.rule.name}>
            {rule.rule.name}
            {draft ? ' *' : ''}
          </b>
          <small>
            {summarizeRule(rule.rule)}
            {rule.mode === 'off' ? '' : `, ${dates ?? t('counts.offers', { count: rule.covers })}`}
          </small>
        </span>
        <em data-mode={dates === null ? rule.mode : 'off'}>
          {dates === null
            ? modeTexts[rule.mode]
            : rule.rule.startsAt !== null && rule.rule.startsAt > Date.now()
              ? 'Scheduled'
              : 'Expired'}
        </em>
      </button>
    </li>
  )
}
