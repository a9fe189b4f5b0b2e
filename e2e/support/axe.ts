import type { Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'
import { violations } from '../../src/renderer/ui/testing/axe.ts'

/** Impacts that would block someone. Lesser ones need human judgment. */
const seriousImpacts = new Set<string>(['serious', 'critical'])
/** Rules about color, the only ones affected by a color scheme. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** An open dialog is checked alone. The page under it can't be reached and was checked before. */
const dialog = '[role="dialog"][aria-modal="true"]'
/** Table rows are alike, so the first eight represent the others. */
const manyRows = '[role="grid"] [role="row"]:nth-child(n + 9)'
/** The parts around every page. */
const shell = ['body header', 'nav[aria-label="Pages"]', 'body footer']

/**
 * Every serious or critical accessibility violation of the current page, one per line.
 *
 * @param rules - Leaves out rules that another check of the same page covers.
 * @param within - Leaves out the parts around every page.
 */
export async function seriousViolations(
  page: Page,
  rules: 'all' | 'colours' | 'no contrast' = 'all',
  within: 'window' | 'page' = 'window',
): Promise<string[]> {
  const chosen: RunOptions =
    rules === 'colours'
      ? { runOnly: { type: 'rule', values: colorRules } }
      : rules === 'no contrast'
        ? { rules: { 'color-contrast': { enabled: false } } }
        : {}
  const found = await violations(page, chosen, {
    include: (await page.locator(dialog).count()) > 0 ? [dialog] : ['html'],
    exclude: [manyRows, ...(within === 'page' ? shell : [])],
  })
  return found
    .filter(({ impact }) => seriousImpacts.has(impact ?? ''))
    .flatMap(({ id, impact, nodes }) =>
      nodes.map(
        (node) =>
          `${id} (${impact ?? ''}) ${node.target.join(' ')}: ` +
          `${node.any[0]?.message ?? node.all[0]?.message ?? node.html.slice(0, 120)}`,
      ),
    )
}
