import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** What would shut somebody out. Less than that is a matter of taste that axe can't judge. */
const grave = new Set<string>(['serious', 'critical'])
/** Rules about colour: the only ones that a colour scheme changes. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** An open dialog is looked at by itself: what lies under it can't be reached, and was looked at before. */
const dialog = '[role="dialog"][aria-modal="true"]'

/**
 * Every serious or critical accessibility finding of a page as it stands, a line each. `rules` leaves out what another look at the same page tells.
 * A table's rows are alike: the first ten stand for the rest.
 */
export async function graveFindings(page: Page, rules: 'all' | 'colours' | 'no contrast' = 'all'): Promise<string[]> {
  // In the page itself and without what passed: another page would be opened for each look, and passes take longer to describe than to find.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ['violations'], preload: false }).exclude('[role="grid"] [role="row"]:nth-child(n + 11)')
  if (await page.locator(dialog).count() > 0) axe.include(dialog)
  if (rules === 'colours') axe.withRules(colourRules)
  if (rules === 'no contrast') axe.disableRules(['color-contrast'])
  const { violations } = await axe.analyze()
  return violations.filter(({ impact }) => grave.has(impact ?? ''))
    .flatMap(({ id, impact, nodes }) => nodes.map((node) => `${id} (${impact ?? ''}) ${node.target.join(' ')}: ${node.any[0]?.message ?? node.all[0]?.message ?? node.html.slice(0, 120)}`))
}
