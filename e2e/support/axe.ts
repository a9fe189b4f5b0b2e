import type { Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'
import { violations } from '../../src/renderer/ui/testing/axe.ts'

/** What would shut somebody out. Less than that is a matter of taste that axe can't judge. */
const grave = new Set<string>(['serious', 'critical'])
/** Rules about colour: the only ones that a colour scheme changes. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * An open dialog is looked at by itself: what lies under it can't be reached, and was looked at
 * before.
 */
const dialog = '[role="dialog"][aria-modal="true"]'
/** A table's rows are alike: the first eight stand for the rest. */
const manyRows = '[role="grid"] [role="row"]:nth-child(n + 9)'
/** What stands around every page. */
const shell = ['body header', 'nav[aria-label="Pages"]', 'body footer']

/**
 * Every serious or critical accessibility finding of a page as it stands, a line each. `rules`
 * leaves out what another look at the same page tells, `within` what stands around every page.
 */
export async function graveFindings(
  page: Page,
  rules: 'all' | 'colours' | 'no contrast' = 'all',
  within: 'window' | 'page' = 'window',
): Promise<string[]> {
  const chosen: RunOptions =
    rules === 'colours'
      ? { runOnly: { type: 'rule', values: colourRules } }
      : rules === 'no contrast'
        ? { rules: { 'color-contrast': { enabled: false } } }
        : {}
  const found = await violations(page, chosen, {
    include: (await page.locator(dialog).count()) > 0 ? [dialog] : ['html'],
    exclude: [manyRows, ...(within === 'page' ? shell : [])],
  })
  return found
    .filter(({ impact }) => grave.has(impact ?? ''))
    .flatMap(({ id, impact, nodes }) =>
      nodes.map(
        (node) =>
          `${id} (${impact ?? ''}) ${node.target.join(' ')}: ${node.any[0]?.message ?? node.all[0]?.message ?? node.html.slice(0, 120)}`,
      ),
    )
}
