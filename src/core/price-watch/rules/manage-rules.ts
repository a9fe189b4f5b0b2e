import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract'
import type { Contract } from '../../../contract/index.ts'
import type { PriceRule } from '../../../contract/price-watch/price-rules.ts'
import type { RuleEffect, RuleView } from '../../../contract/price-watch/price-watch-records.ts'
import { localized } from '../../../contract/localization/localized.ts'
import type { Localized } from '../../../contract/localization/localized.ts'
import { failure } from '../../failure.ts'
import type { Offers } from '../../offers/offers.ts'
import type { PriceWatchContext } from '../context.ts'
import type { Watched } from '../engine/price-engine.ts'
import { inChunks } from '../in-chunks.ts'
import { createPreview, ownConflicts } from './preview.ts'
import type { Previewed } from './preview.ts'
import type { WatchSession } from '../session.ts'

type Inputs = InferContractRouterInputs<Contract['priceWatch']>
type Outputs = InferContractRouterOutputs<Contract['priceWatch']>

type Parts = {
  context: PriceWatchContext
  offers: Offers
  openSession: (accountId: string) => Promise<WatchSession>
  changed: (accountId: string) => () => void
  note: (accountId: string | null, what: Localized, detail: Localized) => void
}

const modeCodes = {
  auto: 'price-watch.rule-auto',
  propose: 'price-watch.rule-proposes',
  off: 'price-watch.rule-off',
} as const satisfies Record<RuleView['mode'], string>

/** Offers previewed without a pause: a few milliseconds of work. */
const PREVIEW_CHUNK_SIZE = 1000

/** The values that a filter can choose from. */
function choicesOf(watched: Iterable<Watched>) {
  const found = {
    platforms: new Set<string>(),
    regions: new Set<string>(),
    productTypes: new Set<string>(),
    deliveryTypes: new Set<string>(),
  }
  for (const {
    facts: { platform, region, productType, deliveryType },
  } of watched) {
    found.platforms.add(platform)
    found.regions.add(region)
    found.productTypes.add(productType)
    found.deliveryTypes.add(deliveryType)
  }
  const sorted = (words: Set<string>): string[] => [...words].filter((word) => word !== '').sort()
  return {
    platforms: sorted(found.platforms),
    regions: sorted(found.regions),
    productTypes: sorted(found.productTypes),
    deliveryTypes: sorted(found.deliveryTypes),
  }
}

/** The rules of an account: stored in order, previewed, and switched on only by a person. */
export function createRules({ context, offers, openSession, changed, note }: Parts) {
  function ruleViews({ keeper }: WatchSession): RuleView[] {
    const counts = new Map<string, number>()
    for (const { stored } of keeper.watched().values())
      if (stored !== null) counts.set(stored.ruleId, (counts.get(stored.ruleId) ?? 0) + 1)
    return keeper.rules().map(({ ruleId, revision, mode, rule }) => ({
      ruleId,
      revision,
      mode,
      rule,
      covers: counts.get(ruleId) ?? 0,
    }))
  }
  /** Decides all offers by the current rules and notifies the screen. */
  async function rulesChanged(accountId: string, session: WatchSession): Promise<RuleView[]> {
    session.keeper.rulesChanged()
    await session.files.spawn(session.keeper.considerAll(session.ends))
    changed(accountId)()
    void session.watcher?.now()
    return ruleViews(session)
  }
  /** Takes back queued prices of a rule that may no longer send them. */
  function autoApplyEnded(
    { keeper, sending }: WatchSession,
    ruleId: string,
    mode: 'propose' | 'off',
  ): void {
    // By the previous rules, the prices would be queued again.
    keeper.rulesChanged()
    sending.takeBackOf(ruleId, mode === 'propose' ? 'rule-proposes' : 'rule-gone')
  }
  const knownRule = ({ keeper }: WatchSession, ruleId: string) => {
    const found = keeper.rules().find((rule) => rule.ruleId === ruleId)
    if (found === undefined)
      throw failure('NOT_FOUND', 'This rule no longer exists.', 'Check the list of rules.', {
        effect: 'Nothing was changed.',
      })
    return found
  }

  async function previewed(
    { keeper }: WatchSession,
    ruleId: string | null,
    rule: PriceRule,
    first = false,
  ): Promise<Previewed> {
    const preview = createPreview(
      keeper.rules(),
      ruleId,
      rule,
      context.clock.now(),
      keeper.conditions(),
      first,
    )
    await inChunks([...keeper.watched().values()], PREVIEW_CHUNK_SIZE, preview.add)
    return preview.result()
  }
  /** Throws unless the rule still does what the person saw before turning on auto-apply. */
  async function demandSeen(
    session: WatchSession,
    ruleId: string,
    seen: RuleEffect | null,
  ): Promise<void> {
    const { sums } = await previewed(session, ruleId, knownRule(session, ruleId).rule)
    if (seen?.offers === sums.offers && seen.change === sums.change) return
    throw failure(
      'CHANGED_MEANWHILE',
      'The rule now has another effect than shown.',
      'Check the numbers, then turn on auto-apply again.',
      {
        effect: 'The rule still proposes.',
        details: { offers: sums.offers, change: sums.change },
      },
    )
  }

  return {
    rules: async ({ accountId }: Inputs['rules']): Promise<RuleView[]> =>
      ruleViews(await openSession(accountId)),
    async choices({ accountId, offerIds = [] }: Inputs['choices']): Promise<Outputs['choices']> {
      const watched = (await openSession(accountId)).keeper.watched()
      return {
        ...choicesOf(watched.values()),
        offers: offerIds.flatMap((offerId) => {
          const facts = watched.get(offerId)?.facts
          if (facts === undefined) return []
          const { name, platform, region, deliveryType } = facts
          return [{ offerId, name, platform, region, deliveryType }]
        }),
      }
    },
    async preview({
      accountId,
      ruleId,
      rule,
      first = false,
      changesOnly = true,
      window,
    }: Inputs['preview']): Promise<Outputs['preview']> {
      const session = await openSession(accountId)
      const { sums, lines, conflicts } = await previewed(session, ruleId, rule, first)
      const chosen = changesOnly ? lines.filter(({ targetCents }) => targetCents !== null) : lines
      const { offset = 0, limit = 100 } = window ?? {}
      return {
        sums,
        conflicts,
        total: chosen.length,
        lines: chosen.slice(offset, offset + limit),
        at: offers.pricing.lastListing(accountId).lastAt,
      }
    },
    async saveRule({
      accountId,
      ruleId,
      rule,
      first = false,
    }: Inputs['saveRule']): Promise<RuleView> {
      const session = await openSession(accountId)
      const { keeper } = session
      const present = ruleId === null ? null : knownRule(session, ruleId)
      const [wrong] = ownConflicts(rule)
      if (wrong !== undefined)
        throw failure('INVALID_INPUT', 'This rule contradicts itself.', 'Check its conflicts.', {
          effect: 'Nothing was saved.',
          details: { conflict: wrong.kind },
        })
      const id = ruleId ?? context.random.id()
      // The person confirmed auto-apply for the previous version.
      const mustConfirm =
        present?.mode === 'auto' &&
        JSON.stringify({ ...present.rule, name: '' }) !== JSON.stringify({ ...rule, name: '' })
      keeper.store.transaction(() => {
        keeper.store.putRule(id, rule, context.clock.now(), first)
        if (mustConfirm) keeper.store.setMode(id, 'propose', null)
      })
      if (mustConfirm) autoApplyEnded(session, id, 'propose')
      const views = await rulesChanged(accountId, session)
      const saved = views.find((view) => view.ruleId === id)
      if (saved === undefined) throw new Error('a saved rule is missing')
      return saved
    },
    async removeRule({ accountId, ruleId }: Inputs['removeRule']): Promise<RuleView[]> {
      const session = await openSession(accountId)
      knownRule(session, ruleId)
      session.keeper.store.removeRule(ruleId)
      return rulesChanged(accountId, session)
    },
    async orderRules({ accountId, ruleIds }: Inputs['orderRules']): Promise<RuleView[]> {
      const session = await openSession(accountId)
      const { store } = session.keeper
      const known = session.keeper.rules().map(({ ruleId }) => ruleId)
      if (known.length !== ruleIds.length || known.some((ruleId) => !ruleIds.includes(ruleId))) {
        throw failure(
          'CONFLICT',
          'The list of rules has changed.',
          'Check the list, then move the rule again.',
          { effect: 'Nothing was moved.' },
        )
      }
      store.transaction(() => store.order(ruleIds))
      return rulesChanged(accountId, session)
    },
    async setMode({
      accountId,
      ruleId,
      mode,
      seen = null,
      typed = null,
    }: Inputs['setMode']): Promise<RuleView[]> {
      const session = await openSession(accountId)
      const { rule, mode: before } = knownRule(session, ruleId)
      const isLive = context.accounts.get(accountId).mode === 'live'
      if (mode === 'auto' && isLive && typed?.trim() !== rule.name) {
        throw failure(
          'NOT_CONFIRMED',
          'The rule’s name wasn’t typed.',
          `Type “${rule.name}” to turn on auto-apply.`,
          { effect: 'The rule still proposes.' },
        )
      }
      if (mode === 'auto') await demandSeen(session, ruleId, seen)
      session.keeper.store.setMode(ruleId, mode, mode === 'auto' ? context.clock.now() : null)
      if (before === 'auto' && mode !== 'auto') autoApplyEnded(session, ruleId, mode)
      note(
        accountId,
        localized('price-watch.rule'),
        localized(modeCodes[mode], { rule: rule.name }),
      )
      return rulesChanged(accountId, session)
    },
  }
}
