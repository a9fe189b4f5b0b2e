import { useMantineColorScheme } from '@mantine/core'
import { useEffect, useMemo, useRef } from 'react'
import { useLocation } from 'wouter'
import type { Account } from '../../../contract/app/accounts.ts'
import { CurrentAccount } from '../../lib/account/current-account.ts'
import { HeaderNotice } from '../../ui/layout/page.tsx'
import { allowSingleLetters } from '../../ui/hooks/shortcuts.ts'
import { useColumnStore } from '../../ui/table/columns/column-store.ts'
import { AccountNotice } from '../accounts/account-bar.tsx'
import { colorSchemeOf } from '../theme/color-scheme.ts'
import { FirstRun } from '../first-run/first-run.tsx'
import { UndoBulkDialog } from '../../features/offers/bulk/undo-bulk-dialog.tsx'
import { GuardDialog } from '../../features/offers/price/guard-dialog.tsx'
import { PriceDialog } from '../../features/offers/price/price-dialog.tsx'
import { UndoHistoryDialog } from '../undo/undo-history-dialog.tsx'
import { useEndedCauses } from '../undo/use-ended-causes.ts'
import { useWindowChanges } from '../undo/use-window-changes.ts'
import { GlobalKeys } from '../shortcuts/global-keys.tsx'
import { Navigation } from './navigation.tsx'
import { currentPage } from '../pages/current-page.ts'
import { PageRoutes } from '../pages/page-routes.tsx'
import { Palette } from '../palette/palette.tsx'
import { PassphraseDialog } from '../vault/passphrase-dialog.tsx'
import { ProofDialog } from '../vault/proof-dialog.tsx'
import { useSavedTables } from '../use-saved-tables.ts'
import { OpenRequestedPage } from '../pages/open-requested-page.tsx'
import { RekeyDialog } from '../accounts/rekey-dialog.tsx'
import styles from './shell.module.css'
import { ShortcutSheet } from '../shortcuts/shortcut-sheet.tsx'
import { StatusBar } from './status-bar.tsx'
import { TitleBar } from './title-bar.tsx'
import { useAppState } from '../use-app-state.ts'
import { VaultWatch } from '../vault/vault-watch.tsx'

/** The tab's title contains the page and the account, so that people can tell tabs apart. */
function titleOf(path: string, account: Account | null): string {
  if (account === null) return 'Keydesk'
  const page = currentPage(account.role, path)
  return [page?.name, `${account.name} ${account.mode.toUpperCase()}`, 'Keydesk']
    .filter((part) => part !== undefined)
    .join(' · ')
}

/**
 * The window: title bar, navigation, page and status bar. Without an account it shows the first
 * run.
 */
export function Shell() {
  const { accounts, current, settings } = useAppState()
  const [path] = useLocation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const theme = settings?.theme
  const density = settings?.density
  const letters = settings?.singleLetterShortcuts
  useEffect(() => {
    if (theme === undefined) return
    const wanted = colorSchemeOf(theme)
    // Setting the same one again would make the browser recalculate every style.
    if (wanted !== colorScheme) setColorScheme(wanted)
  }, [theme, colorScheme, setColorScheme])
  useSavedTables()
  useEffect(() => {
    if (density !== undefined) useColumnStore.getState().setDefaultHeight(density)
  }, [density])
  useEffect(() => {
    if (letters !== undefined) allowSingleLetters(letters)
  }, [letters])
  const notice = useMemo(
    () => (current === null ? null : <AccountNotice account={current} />),
    [current],
  )
  const page = useRef<HTMLElement>(null)
  useWindowChanges(current?.id ?? null, page)
  useEndedCauses(current)
  const title = titleOf(path, current)
  useEffect(() => {
    document.title = title
  }, [title])
  if (accounts === undefined || settings === undefined) return null
  if (current === null)
    return (
      <>
        <FirstRun />
        <PassphraseDialog account={null} />
        <ProofDialog />
      </>
    )
  return (
    <CurrentAccount value={current}>
      <HeaderNotice value={notice}>
        {current.mode === 'live' ? null : (
          <div className={styles.strip} data-mode={current.mode} aria-hidden />
        )}
        {path === '/connect' ? (
          <FirstRun another />
        ) : (
          <div className={styles.window}>
            <button type="button" className={styles.skip} onClick={() => page.current?.focus()}>
              Skip to the page
            </button>
            <TitleBar account={current} />
            <Navigation accounts={accounts} account={current} />
            <main className={styles.panel} ref={page} tabIndex={-1}>
              <PageRoutes key={current.id} account={current} />
            </main>
            <StatusBar account={current} />
          </div>
        )}
        <OpenRequestedPage accounts={accounts} account={current} />
        <GlobalKeys accounts={accounts} account={current} />
        <Palette account={current} accounts={accounts} />
        <PriceDialog />
        <GuardDialog />
        <UndoBulkDialog />
        <UndoHistoryDialog />
        <ShortcutSheet account={current} />
        <PassphraseDialog account={current} />
        <ProofDialog />
        <VaultWatch />
        <RekeyDialog accounts={accounts} />
      </HeaderNotice>
    </CurrentAccount>
  )
}
