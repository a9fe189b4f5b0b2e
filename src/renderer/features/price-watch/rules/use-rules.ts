import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { newRuleDefaults } from '../../../../contract/price-watch/price-rules.ts'
import type { PriceRule } from '../../../../contract/price-watch/price-rules.ts'
import type { RuleView } from '../../../../contract/price-watch/price-watch-records.ts'
import { useAccount } from '../../../lib/account/current-account.ts'
import { problemOf } from '../../../lib/core/problem.ts'
import { api, rpc } from '../../../lib/core/rpc.ts'
import { useShortcut } from '../../../ui/hooks/shortcuts.ts'
import { toast, toastProblem } from '../../../ui/feedback/toasts.tsx'
import { describeDates } from '../price-watch-texts.ts'
import { undoSave } from './rule-changes.ts'
import { NEW_RULE, setComesFirst, setDraft, useRuleDrafts } from './rule-drafts.ts'
import type { SetMode } from './rule-mode.tsx'

const decidesFrom = (dates: string | null): string =>
  dates === null
    ? 'The new version applies from now on.'
    : dates.startsWith('from')
      ? `The new version applies ${dates}.`
      : 'This rule has expired and does nothing.'

/** The rules with their drafts, the chosen one, and what a person can do with them. */
export function useRules(ruleId: string | null, onChoose: (ruleId: string | null) => void) {
  const account = useAccount()
  const client = useQueryClient()
  const key = api.priceWatch.rules.queryOptions({ input: { accountId: account.id } })
  const query = useQuery(key)
  const rules = query.data
  const { drafts, comesFirst } = useRuleDrafts(account.id)
  const draftRule = (id: string, rule: PriceRule | null): void => setDraft(account.id, id, rule)
  const nameOf = (id: string): string => rules?.find((rule) => rule.ruleId === id)?.rule.name ?? id
  const failed =
    (record: string | null) =>
    (error: unknown): void => {
      toastProblem(problemOf(error), record)
    }
  const refresh = (): void => void client.invalidateQueries({ queryKey: api.priceWatch.key() })
  const take = (views: RuleView[]): void => {
    client.setQueryData(key.queryKey, views)
  }
  const order = useMutation({
    mutationFn: (ruleIds: string[]) =>
      rpc.priceWatch.orderRules({ accountId: account.id, ruleIds }),
    onSuccess: take,
    onError: failed(null),
  })
  const save = useMutation({
    mutationFn: ({ id, rule }: { id: string; rule: PriceRule }) =>
      rpc.priceWatch.saveRule({
        accountId: account.id,
        ruleId: id === NEW_RULE ? null : id,
        rule,
        first: id === NEW_RULE && comesFirst,
      }),
    onError: (error, { rule }) => failed(rule.name)(error),
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
    onError: (error, id) => failed(nameOf(id))(error),
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
        toastProblem(problemOf(error), forOffer)
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
  useShortcut('Alt+ArrowUp', () => move(-1), { repeats: true })
  useShortcut('Alt+ArrowDown', () => move(1), { repeats: true })
  /** Saves the shown rule; a new one is chosen after it. */
  const saveRule = (id: string, rule: PriceRule): void =>
    save.mutate(
      { id, rule },
      {
        onSuccess: (saved) => {
          draftRule(id, null)
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
  return {
    query,
    rules,
    drafts,
    comesFirst,
    /** The chosen rule as stored, and as shown with unsaved changes. */
    stored,
    shown,
    isChanged: draft !== undefined,
    begin,
    change: draftRule,
    discard: (id: string): void => {
      draftRule(id, null)
      if (id === NEW_RULE) onChoose(first)
    },
    save: saveRule,
    isSaving: save.isPending,
    setMode,
    remove: (id: string): void => remove.mutate(id),
    /** Moves the chosen rule up; a new rule to the first place. */
    moveUp: (): void => {
      if (ruleId === NEW_RULE) setComesFirst(account.id, true)
      else move(-1)
    },
  }
}
export type Rules = ReturnType<typeof useRules>
