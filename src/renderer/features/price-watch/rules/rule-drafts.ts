import { create } from 'zustand'
import type { PriceRule } from '../../../../contract/price-watch/price-rules.ts'

/** The id of the rule that isn't saved yet. */
export const NEW_RULE = 'new'

/** Rules of one account that were changed and not saved. */
export interface RuleDrafts {
  /** By rule id. */
  drafts: ReadonlyMap<string, PriceRule>
  /** Whether the new rule is tried before all others. */
  comesFirst: boolean
}

const none: RuleDrafts = { drafts: new Map(), comesFirst: false }

/** Drafts of all accounts. They outlive the page, so that leaving it loses nothing. */
export const useAllDrafts = create<{ byAccount: ReadonlyMap<string, RuleDrafts> }>(() => ({
  byAccount: new Map(),
}))

function change(accountId: string, some: (before: RuleDrafts) => Partial<RuleDrafts>): void {
  useAllDrafts.setState(({ byAccount }) => {
    const before = byAccount.get(accountId) ?? none
    return { byAccount: new Map(byAccount).set(accountId, { ...before, ...some(before) }) }
  })
}

/** Sets or, with null, discards the draft of a rule. */
export const setDraft = (accountId: string, id: string, rule: PriceRule | null): void =>
  change(accountId, ({ drafts }) => {
    const after = new Map(drafts)
    if (rule === null) after.delete(id)
    else after.set(id, rule)
    return { drafts: after }
  })

/** Sets whether the new rule is tried before all others. */
export const setComesFirst = (accountId: string, comesFirst: boolean): void =>
  change(accountId, () => ({ comesFirst }))

/** The drafts of an account. */
export const useRuleDrafts = (accountId: string): RuleDrafts =>
  useAllDrafts(({ byAccount }) => byAccount.get(accountId) ?? none)
